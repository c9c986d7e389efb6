"""Define the two networks in PyTorch, and export them as ONNX files with half-precision weights."""

from pathlib import Path

import torch
from torch import nn

from vision.indices.networks import PATCH_PX


def _block(into: int, out: int, step: int = 1, spread: int = 1) -> nn.Sequential:
    convolution = nn.Conv2d(into, out, 3, step, spread, dilation=spread, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(out), nn.ReLU(inplace=True))


class FinderNetwork(nn.Module):
    """Pictures (n, 3, h, w) → (n, 6, h/4, w/4): logit of a centre there, cos, sin, log height, offset x, y in cells."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _block(3, 12, 2), _block(12, 24, 2), _block(24, 32), _block(32, 32, 1, 2), _block(32, 32),
            _block(32, 32, 1, 3), _block(32, 32),
        )  # fmt: skip
        self.head = nn.Conv2d(32, 6, 1)
        with torch.no_grad():
            self.head.bias[0] = -4.0  # few cells are an index's centre

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """Compute the outputs that the class describes."""
        return self.head(self.body(pictures))


class ReaderNetwork(nn.Module):
    """Patches (n, 3, 64, 40) → (n, 22): 13 ranks, 4 suits, is it an index, then how to move the place."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _block(3, 24, 2), _block(24, 32), _block(32, 64, 2), _block(64, 64), _block(64, 96, 2), _block(96, 96),
            nn.Conv2d(96, 32, 1), nn.ReLU(inplace=True),
        )  # fmt: skip
        cells = (PATCH_PX[0] // 8) * (PATCH_PX[1] // 8)
        self.inner = nn.Sequential(nn.Flatten(), nn.Linear(32 * cells, 128), nn.ReLU(inplace=True), nn.Dropout(0.15))
        self.head = nn.Linear(128, 22)

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        """Compute the outputs that the class describes."""
        return self.head(self.inner(self.body(patches)))


def folded(net: nn.Module) -> nn.Module:
    """Copy a network for inference: batch norms folded into the convolutions before them."""
    import copy

    done = copy.deepcopy(net).eval()
    for block in done.body:
        if isinstance(block, nn.Sequential):
            fused = nn.utils.fusion.fuse_conv_bn_eval(block[0], block[1])
            block[0], block[1] = fused, nn.Identity()
    return done


def export(net: nn.Module, size: tuple[int, int], path: Path) -> int:
    """Write the network as ONNX with weights of half precision, calculated with in single; bytes of the file."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    run = folded(net).float()
    shape = torch.zeros(1, 3, *size)
    axes = {"in": {0: "n"}, "out": {0: "n"}}
    if isinstance(net, FinderNetwork):
        axes = {"in": {0: "n", 2: "h", 3: "w"}, "out": {0: "n", 2: "r", 3: "c"}}
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        run,
        (shape,),
        str(path),
        input_names=["in"],
        output_names=["out"],
        dynamic_axes=axes,
        dynamo=False,
        opset_version=13,
    )
    model = onnx.load(str(path))
    graph = model.graph
    casts = []
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype == "float32" and values.size > 64:
            name = tensor.name
            tensor.CopyFrom(numpy_helper.from_array(values.astype("float16"), name + "_half"))
            casts.append(helper.make_node("Cast", [name + "_half"], [name], to=TensorProto.FLOAT))
    for n, cast in enumerate(casts):
        graph.node.insert(n, cast)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())
    return path.stat().st_size
