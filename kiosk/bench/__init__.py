"""``stichwart bench``: the figures that are promised, measured on this machine."""
