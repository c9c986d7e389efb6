"""Start a card image in a virtual machine: QEMU, without acceleration, seen and touched from outside."""
