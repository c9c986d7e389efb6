"""A touch panel for a virtual machine: QEMU's own pointers are none, so the machine's kernel makes one (uinput).

:data:`PROGRAM` runs inside the machine, by its own Python and nothing else. It makes a panel that reports several
fingers, as touchscreens do, and reads lines from a pipe: ``X Y SECONDS`` (pixels) lays a finger there for so long,
``X Y`` until the line ``up``.
"""

#: The pipe inside the machine.
PIPE = "/run/finger"

PROGRAM = r"""
import fcntl, os, struct, sys, time

WIDTH, HEIGHT, PIPE = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
SYN, KEY, ABS = 0, 1, 3
TOUCH, DIRECT = 0x14A, 1
X, Y, SLOT, MT_X, MT_Y, ID = 0x00, 0x01, 0x2F, 0x35, 0x36, 0x39

panel = os.open("/dev/uinput", os.O_WRONLY)
for request, value in [
    (0x40045564, KEY), (0x40045564, ABS), (0x40045565, TOUCH), (0x4004556E, DIRECT),
    *((0x40045567, axis) for axis in (X, Y, SLOT, MT_X, MT_Y, ID)),
]:
    fcntl.ioctl(panel, request, value)
for axis, most in ((X, WIDTH - 1), (Y, HEIGHT - 1), (SLOT, 9), (MT_X, WIDTH - 1), (MT_Y, HEIGHT - 1), (ID, 65535)):
    fcntl.ioctl(panel, 0x401C5504, struct.pack("Hxx6i", axis, 0, 0, most, 0, 0, 0))
fcntl.ioctl(panel, 0x405C5503, struct.pack("4H80sI", 3, 0x5354, 1, 1, b"Stichwart finger", 0))
fcntl.ioctl(panel, 0x5501)

def send(*events):
    for kind, code, value in (*events, (SYN, 0, 0)):
        os.write(panel, struct.pack("qqHHi", 0, 0, kind, code, value))

if not os.path.exists(PIPE):
    os.mkfifo(PIPE)
count = 0
while True:
    with open(PIPE) as lines:
        for line in lines:
            if line != "up\n":
                x, y, *seconds = map(float, line.split())
                x, y, count = round(x), round(y), count + 1
                send((ABS, SLOT, 0), (ABS, ID, count), (ABS, MT_X, x), (ABS, MT_Y, y),
                     (KEY, TOUCH, 1), (ABS, X, x), (ABS, Y, y))
                if not seconds:
                    continue
                time.sleep(*seconds)
            send((ABS, ID, -1), (KEY, TOUCH, 0))
            time.sleep(0.1)
"""
