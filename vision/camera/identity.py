"""Tell USB cameras apart, and find one again that was moved to another socket or got another number."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vision.errors import CameraMissing


@dataclass(frozen=True, slots=True, kw_only=True)
class UsbIdentity:
    """Which camera it is, and where it is plugged in."""

    id: str  # "046d:0825:SERIAL"; the serial number is empty where the maker gave none, as cheap ones have it
    path: str  # of the socket, as systemd's udev names it below /dev/v4l/by-path


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCamera:
    """A camera that is plugged in."""

    device: str  # /dev/videoN
    name: str  # what the driver calls it
    identity: UsbIdentity


def usb_cameras(root: Path = Path("/")) -> list[FoundCamera]:
    """List the USB cameras that are plugged in, by what the kernel says in ``/sys``; ``root`` stands for ``/``.

    The first node of each alone: others carry metadata. What is no USB device (codecs of the Pi) is left out.
    """
    links = {link.resolve().name: link.name for link in sorted((root / "dev/v4l/by-path").glob("*-video-index0"))}
    found = []
    for node in sorted((root / "sys/class/video4linux").glob("video*"), key=lambda node: (len(node.name), node.name)):
        if _text(node / "index") != "0":
            continue
        usb = (node / "device").resolve().parent
        maker, product = _text(usb / "idVendor"), _text(usb / "idProduct")
        if maker and product:
            camera_id = f"{maker}:{product}:{_text(usb / 'serial')}"
            path = links.get(node.name, usb.name).removesuffix("-video-index0")
            identity = UsbIdentity(id=camera_id, path=path)
            found.append(FoundCamera(device=f"/dev/{node.name}", name=_text(node / "name"), identity=identity))
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def same_camera(known: UsbIdentity, cameras: Sequence[FoundCamera]) -> FoundCamera | None:
    """Find a known camera among those plugged in: in its socket, else the only one of its id in any; None if missing.

    :raises CameraMissing: several have its id, and none is in its socket: nobody can tell which one it was
    """
    alike = [camera for camera in cameras if camera.identity.id == known.id]
    here = [camera for camera in alike if camera.identity.path == known.path]
    if here or len(alike) <= 1:
        return next(iter(here or alike), None)
    sockets = ", ".join(f"v4l2:/dev/v4l/by-path/{camera.identity.path}-video-index0" for camera in alike)
    raise CameraMissing(
        f"two cameras are alike ({known.id}) and neither is in the socket {known.path}; put the table's camera back"
        f" there, or name it by its socket: {sockets}"
    )
