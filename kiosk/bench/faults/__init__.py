"""Play an evening with real processes while everything fails that can: ``stichwart bench faults``.

``plan`` says which faults come when, by a seed; ``devices`` and ``direction`` are the processes, ``proxy`` the network
between them, ``table`` the people at a table; ``evening`` plays, ``checks`` says what was lost.
"""
