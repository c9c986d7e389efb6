"""Talk to QEMU: QMP, one JSON object a line, https://www.qemu.org/docs/master/interop/qmp-spec.html"""

import json
import socket
from pathlib import Path
from typing import Any

from kiosk.bench.vm.errors import MachineError


class Monitor:
    """QEMU's own line.

    :param path: of its UNIX socket. :param timeout: for an answer, in seconds: to keep a machine took more than 60
        beside others' writing.
    """

    def __init__(self, path: Path, timeout: float = 600) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(timeout)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile("r", encoding="utf-8")
        self._lines.readline()  # its greeting
        self.ask("qmp_capabilities")

    def ask(self, command: str, **arguments: object) -> Any:
        """Run a command of QMP and return its answer.

        :raises MachineError: QEMU refuses it, or is gone.
        """
        message = {"execute": command, "arguments": arguments} if arguments else {"execute": command}
        try:
            self._socket.sendall(json.dumps(message).encode() + b"\n")
            for line in self._lines:
                answer = json.loads(line)
                if "return" in answer:
                    return answer["return"]
                if "error" in answer:
                    raise MachineError(f"{command}: {answer['error']['desc']}")
        except OSError as error:
            raise MachineError(f"{command}: {error}") from error
        raise MachineError(f"{command}: the machine is gone")

    def close(self) -> None:
        """Let go of the line; the machine goes on."""
        self._lines.close()
        self._socket.close()
