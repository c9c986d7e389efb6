"""Register ``sim:``, the simulated table, as a kind of camera; the simulator is loaded when it is opened."""

from vision.camera.source import Source, SourceOptions, register_kind


def _open_simulation(spec: str, rest: str, asked: SourceOptions) -> Source:
    from vision.simulation.source import open_sim  # drawing cards takes modules that a table with a camera never needs

    return open_sim(rest, size=asked.size, fps=asked.fps)


register_kind("sim", "sim:", _open_simulation)
