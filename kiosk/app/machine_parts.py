"""Describe the machine itself for the hardware page: power, heat, storage; and what runs on it."""

import platform
from pathlib import Path

from hw.factory import MODEL
from hw.machine import MachineState, look_at_machine
from kiosk.app.version import version
from kiosk.release.layout import Layout
from kiosk.ui.hardware.hardware_view import PartView


def machine_parts(data: Path) -> tuple[PartView, ...]:
    """Describe how the machine is; ``data`` lies on the disk that is asked about."""
    state = look_at_machine(data)
    return _power(state), _heat(state), _disk(state)


def release_parts(layout: Layout | None) -> tuple[PartView, ...]:
    """Describe which release runs, and what has become of another one; nothing for a checkout."""
    if layout is None:
        return ()
    wanted, failed, runs = layout.wanted, layout.failed, layout.current
    if wanted and wanted != runs and layout.is_ready(wanted):
        return (PartView(name="release", state="works", code="release_waits", detail=wanted),)
    if failed:
        return (PartView(name="release", state="bad", code="release_failed", detail=failed),)
    return (PartView(name="release", state="works", code="release_runs", detail=runs),)


def _power(state: MachineState) -> PartView:
    if state.under_voltage is None:
        return PartView(name="power", state="unknown", code="not_told")
    if state.under_voltage:
        return PartView(name="power", state="bad", code="under_voltage")
    return PartView(name="power", state="works", code="was_under_voltage" if state.was_under_voltage else "")


def _heat(state: MachineState) -> PartView:
    if state.temperature_c is None:
        return PartView(name="temperature", state="unknown", code="not_told")
    bad, degrees = state.hot or bool(state.slowed), f"{state.temperature_c:.0f}"
    return PartView(
        name="temperature", state="bad" if bad else "works", code="hot" if bad else "degrees", detail=degrees
    )


def _disk(state: MachineState) -> PartView:
    if state.free_mb is None:
        return PartView(name="disk", state="unknown", code="not_told")
    low, gigabytes = state.disk_low, f"{state.free_mb / 1000:.1f}"
    return PartView(name="disk", state="bad" if low else "works", code="disk_low" if low else "free", detail=gigabytes)


def about_machine() -> str:
    """Name program, Python, system and machine in a line."""
    parts = (f"Stichwart {version()}", f"Python {platform.python_version()}", _system(), _model())
    return " · ".join(parts)


def _system() -> str:
    try:
        name = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        name = platform.system()
    return f"{name}, Linux {platform.release()}"


def _model() -> str:
    try:
        return MODEL.read_text(encoding="ascii", errors="replace").strip("\0\n ")
    except OSError:
        return platform.machine()
