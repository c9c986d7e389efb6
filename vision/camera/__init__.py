"""Open sources of frames, live or from disk; the package registers its own kinds, see ``vision.camera.source``."""

from pathlib import Path

from vision.camera.files import PictureFolder, VideoFile
from vision.camera.rpicam import RpiCamera
from vision.camera.source import register_kind
from vision.camera.usb import UsbCamera

register_kind("v4l2", "v4l2:/dev/video0", lambda spec, rest, asked: UsbCamera(spec, rest, asked))
register_kind("usb", "usb:0", lambda spec, rest, asked: UsbCamera(spec, rest, asked))
register_kind("rpicam", "rpicam:0", lambda spec, rest, asked: RpiCamera(spec, rest, asked))
register_kind("file", "file:PATH", lambda spec, rest, asked: VideoFile(spec, Path(rest).expanduser(), asked.fps))
register_kind(
    "folder",
    "folder:PATH",
    lambda spec, rest, asked: PictureFolder(spec, Path(rest).expanduser(), asked.fps, asked.hold),
)
