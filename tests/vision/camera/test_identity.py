"""Cameras told apart by their sockets, and found again where they were moved to."""

from pathlib import Path

import pytest

from vision.camera.identity import FoundCamera, UsbIdentity, same_camera, usb_cameras
from vision.camera.kept import CameraMemory, KeptCamera
from vision.errors import CameraMissing


def plug(root: Path, number: int, socket: str, serial: str | None = None, *, usb: bool = True, index: int = 0) -> None:
    """Make a camera as ``/sys`` and ``/dev`` show it."""
    interface = root / f"sys/devices/usb1/{socket}/{socket}:1.0"
    interface.mkdir(parents=True, exist_ok=True)
    if usb:
        (interface.parent / "idVendor").write_text("046d\n")
        (interface.parent / "idProduct").write_text("0825\n")
        if serial is not None:
            (interface.parent / "serial").write_text(serial + "\n")
    node = root / f"sys/class/video4linux/video{number}"
    node.mkdir(parents=True)
    (node / "index").write_text(f"{index}\n")
    (node / "name").write_text("UVC Camera (046d:0825)\n")
    (node / "device").symlink_to(interface)
    (root / "dev/v4l/by-path").mkdir(parents=True, exist_ok=True)
    (root / f"dev/video{number}").touch()
    link = root / f"dev/v4l/by-path/pci-0-usb-0:{socket}:1.0-video-index{index}"
    link.symlink_to(root / f"dev/video{number}")


def test_cameras_are_listed_by_id_and_socket(tmp_path: Path) -> None:
    plug(tmp_path, 0, "1-1", "A1")
    plug(tmp_path, 1, "1-1", "A1", index=1)  # its metadata
    plug(tmp_path, 10, "1-2")
    plug(tmp_path, 2, "codec", usb=False)
    (tmp_path / "dev/v4l/by-path/pci-0-usb-0:1-2:1.0-video-index0").unlink()  # without udev
    one, two = usb_cameras(tmp_path)
    assert one == FoundCamera(
        device="/dev/video0",
        name="UVC Camera (046d:0825)",
        identity=UsbIdentity(id="046d:0825:A1", path="pci-0-usb-0:1-1:1.0"),
    )
    assert two.device == "/dev/video10" and two.identity == UsbIdentity(id="046d:0825:", path="1-2")
    assert usb_cameras(tmp_path / "nowhere") == []


def found(camera_id: str, path: str, number: int = 0) -> FoundCamera:
    return FoundCamera(device=f"/dev/video{number}", name="", identity=UsbIdentity(id=camera_id, path=path))


KNOWN = UsbIdentity(id="a:b:", path="1")


@pytest.mark.parametrize(
    ("cameras", "which"),
    [
        ([], None),
        ([found("a:b:", "1")], 0),
        ([found("x:y:", "1")], None),  # another camera in its socket
        ([found("x:y:", "1"), found("a:b:", "2")], 1),  # moved
        ([found("a:b:", "2"), found("a:b:", "1")], 1),  # one that is alike, elsewhere
    ],
    ids=["none", "where it was", "another one", "moved", "told apart by their sockets"],
)
def test_a_camera_is_found_again(cameras: list[FoundCamera], which: int | None) -> None:
    assert same_camera(KNOWN, cameras) is (None if which is None else cameras[which])


def test_two_that_are_alike_in_other_sockets_are_not_guessed() -> None:
    with pytest.raises(CameraMissing, match=r"socket 1;.*v4l2:/dev/v4l/by-path/2-video-index0, .*3-video-index0"):
        same_camera(KNOWN, [found("a:b:", "2"), found("a:b:", "3")])


def test_what_is_kept_outlives_the_process(tmp_path: Path) -> None:
    path = tmp_path / "new" / "camera.json"
    memory = CameraMemory(path)
    assert memory.of("usb:0") == KeptCamera()
    memory.keep("usb:0", KeptCamera(identity=KNOWN, focus=35.0))
    memory.keep("rpicam:0", KeptCamera(focus=1.25))
    again = CameraMemory(path)
    assert again.of("usb:0") == KeptCamera(identity=KNOWN, focus=35.0)
    assert again.of("rpicam:0") == KeptCamera(focus=1.25)
    assert [file.name for file in path.parent.iterdir()] == ["camera.json"]


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"usb:0": 3}', '{"usb:0": {}}', '{"usb:0": {"identity": null, "focus": "far"}}', "\x00\xff"],
)
def test_a_file_that_is_none_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "camera.json"
    path.write_text(text, encoding="latin-1")
    assert CameraMemory(path).of("usb:0") == KeptCamera()


def test_a_disk_that_takes_nothing_keeps_it_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    memory = CameraMemory(tmp_path / "file" / "camera.json")
    memory.keep("usb:0", KeptCamera(focus=1.0))
    assert memory.of("usb:0").focus == 1.0
