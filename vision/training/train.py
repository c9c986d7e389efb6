"""Train a network from shards and write it where ``vision.indices.networks`` reads it.

``python -m vision.training.train reader FOLDER --steps 12000`` (and ``finder``); needs PyTorch and onnx, one CPU core
is enough. ``docs/network.md`` has the commands that made the networks of this package.
"""

import argparse
import copy
import math
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.training import nets, samples

_SEED = 7
_BATCH = {"reader": 256, "finder": 24}


def reader_loss(answer: torch.Tensor, batch: samples.Patches) -> torch.Tensor:
    """Compute the cross entropies of rank, suit and being one, and the distance of the move."""
    index = torch.from_numpy(batch.index)
    real = index > 0.5
    rank = functional.cross_entropy(answer[real, :13], torch.from_numpy(batch.ranks)[real], label_smoothing=0.02)
    suit = functional.cross_entropy(answer[real, 13:17], torch.from_numpy(batch.suits)[real], label_smoothing=0.02)
    is_one = functional.binary_cross_entropy_with_logits(answer[:, 17], index)
    move = functional.smooth_l1_loss(answer[real, 18:22], torch.from_numpy(batch.moves)[real], beta=0.05)
    return rank + suit + is_one + 8 * move


def finder_loss(answer: torch.Tensor, batch: samples.Canvases) -> torch.Tensor:
    """Compute the centres' focal loss (Zhou et al., Objects as Points, 2019) and the distance of the poses."""
    heat, weight = torch.from_numpy(batch.heat), torch.from_numpy(batch.weight)
    p = torch.sigmoid(answer[:, 0]).clamp(1e-5, 1 - 1e-5)
    centre = heat > 0.999
    hit = -((1 - p) ** 2) * p.log() * centre
    miss = -((1 - heat) ** 4) * p**2 * (1 - p).log() * ~centre
    count = centre.sum().clamp(min=1)
    taught = torch.from_numpy(batch.taught)[:, None]
    far = functional.smooth_l1_loss(answer[:, 1:], torch.from_numpy(batch.poses), beta=0.1, reduction="none") * taught
    return ((hit + miss) * weight).sum() / count + 1.5 * far.sum() / taught.sum().clamp(min=1)


def validate(kind: str, net: nn.Module, shelf: samples.Shelf) -> str:
    """Measure on scenes of fonts and decks that are never trained on."""
    rng = np.random.default_rng(1)
    net.eval()
    with torch.no_grad():
        if kind == "reader":
            right, real, parts, found, false, none = 0, 0, np.zeros(2), 0, 0, 0
            for _ in range(8):
                batch = samples.patches(rng, shelf, 256)
                answer = net(torch.from_numpy(batch.inputs)).numpy()
                yes = batch.index > 0.5
                rank, suit = answer[:, :13].argmax(1) == batch.ranks, answer[:, 13:17].argmax(1) == batch.suits
                right += int((rank & suit & yes).sum())
                parts += [(rank & yes).sum(), (suit & yes).sum()]
                real, none = real + int(yes.sum()), none + int((~yes).sum())
                found, false = found + int((answer[yes, 17] > 0).sum()), false + int((answer[~yes, 17] > 0).sum())
            return (
                f"label {right / real:.4f} rank {parts[0] / real:.4f} suit {parts[1] / real:.4f} "
                f"seen {found / real:.4f} of {real}, false {false / none:.4f} of {none}"
            )
        hits = wanted = false = 0
        for _ in range(8):
            many = samples.canvases(rng, shelf, 24)
            heat = net(torch.from_numpy(many.inputs))[:, 0]
            peak = (heat == functional.max_pool2d(heat[:, None], 3, 1, 1)[:, 0]) & (heat > -0.85)
            centre = torch.from_numpy(many.heat) > 0.999
            near = functional.max_pool2d(peak[:, None].float(), 3, 1, 1)[:, 0] > 0
            wanted, hits = wanted + int(centre.sum()), hits + int((near & centre).sum())
            false += int((peak & (torch.from_numpy(many.heat) < 0.1) & (torch.from_numpy(many.weight) > 0)).sum())
        return f"found {hits / wanted:.4f} of {wanted}, false ones {false / wanted:.3f} for each"


def _tensor(inputs: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(inputs).to(memory_format=torch.channels_last)


def train(
    kind: str, folder: Path, steps: int, rate: float, start: Path | None, out: Path, seed: int, mined: Path | None
) -> nn.Module:
    """Train for so many steps; checkpoints go to ``out``. The averaged weights are returned."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    net = nets.ReaderNetwork() if kind == "reader" else nets.FinderNetwork()
    if start is not None:
        net.load_state_dict(torch.load(start, weights_only=True))
    net = net.to(memory_format=torch.channels_last)
    mean = copy.deepcopy(net)
    shelf, kept = samples.Shelf(folder), samples.Shelf(folder, validation=True)
    kept.open_new()
    hard = None
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-3)
    loss_sum, began = 0.0, time.process_time()
    for step in range(steps):
        if step % 100 == 0:
            scenes = shelf.open_new()
            if hard is None and mined is not None and mined.exists():  # it may come while this runs
                hard = np.load(mined)["patches"]
        part = step / steps
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 200) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * part)))
        net.train()
        if kind == "reader":
            batch = samples.patches(rng, shelf, _BATCH[kind], hard)
            with torch.autocast("cpu", torch.bfloat16):
                answer = net(_tensor(batch.inputs))
            loss = reader_loss(answer.float(), batch)
        else:
            many = samples.canvases(rng, shelf, _BATCH[kind])
            with torch.autocast("cpu", torch.bfloat16):
                answer = net(_tensor(many.inputs))
            loss = finder_loss(answer.float(), many)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        keep = min(0.998, (step + 1) / (step + 10))
        with torch.no_grad():
            for a, b in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
                if a.dtype.is_floating_point:
                    a.mul_(keep).add_(b, alpha=1 - keep)
                else:
                    a.copy_(b)
        loss_sum += float(loss)
        if (step + 1) % 250 == 0 or step + 1 == steps:
            torch.save(mean.state_dict(), out / f"{kind}.pt")
            figures = validate(kind, mean, kept) if (step + 1) % 500 == 0 or step + 1 == steps else ""
            print(
                f"{kind} {step + 1} {time.process_time() - began:.0f}s scenes {scenes} loss {loss_sum / 250:.4f}",
                figures,
                flush=True,
            )
            loss_sum = 0.0
    return mean


def main() -> None:
    """Train a network, then export it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("reader", "finder"))
    parser.add_argument("folder", type=Path, help="the shards; checkpoints go there too")
    parser.add_argument("--steps", type=int, default=12000)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--start", type=Path, help="a checkpoint to go on from")
    parser.add_argument("--mined", type=Path, help="patches that an earlier network took for indices")
    parser.add_argument("--seed", type=int, default=_SEED)
    parser.add_argument("--only-export", action="store_true", help="export the checkpoint of --start")
    given = parser.parse_args()
    steps = 0 if given.only_export else given.steps
    net = train(given.kind, given.folder, steps, given.rate, given.start, given.folder, given.seed, given.mined)
    path = Path(__file__).parents[1] / "indices" / "onnx" / f"{given.kind}.onnx"
    size = nets.export(net, (64, 40) if given.kind == "reader" else (96, 96), path)
    print(f"{path}: {size} bytes")


if __name__ == "__main__":
    main()
