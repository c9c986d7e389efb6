"""The card of a power cut, made of what QEMU logged."""

import json
import random
import shutil
import subprocess

import pytest

from kiosk.bench.vm import flushes

pytestmark = pytest.mark.skipif(shutil.which("qemu-io") is None, reason="qemu-io is missing; apt install qemu-utils")


def test_a_card_is_made_again_as_it_was_at_each_flush(tmp_path):
    card, log, copy, part = (tmp_path / name for name in ("card", "log", "copy", "part"))
    for file in (card, copy):
        file.write_bytes(bytes(1 << 20))
    part.write_bytes(bytes(4096 * 100))
    log.touch()
    disk = {"driver": "blklogwrites"}
    disk |= {part: {"driver": "file", "filename": str(file)} for part, file in (("file", card), ("log", log))}
    chance = random.Random(4)
    commands, states, now = [], [], bytearray(1 << 20)
    for pattern in range(1, 60):
        offset, length = chance.randrange(200) * 4096, chance.randrange(1, 5) * 4096
        commands.append(f"write -q -P {pattern} {offset} {length}")
        now[offset : offset + length] = bytes([pattern]) * length
        if not chance.randrange(4):
            commands.append("flush")
            states.append(bytes(now))
    commands.append("write -q -P 99 0 4096")
    words = [word for command in commands for word in ("-c", command)]
    subprocess.run(["qemu-io", "-t", "writeback", *words, f"json:{json.dumps(disk)}"], check=True, capture_output=True)

    whole = list(flushes.read(log, flushes.count(log)))
    ends = [number for number in range(1, len(whole) + 1) if whole[number - 1].flush]
    assert len(ends) >= len(states) > 5
    done = 0
    for end, state in zip(ends, states, strict=False):
        assert flushes.last_flush(whole, end) == end
        assert flushes.last_flush(whole, end - 1) < end
        flushes.apply(log, whole[done:end], copy, 0)
        flushes.apply(log, whole[done:end], part, 4096 * 40)
        assert copy.read_bytes() == state
        assert part.read_bytes() == state[4096 * 40 : 4096 * 140]
        done = end
