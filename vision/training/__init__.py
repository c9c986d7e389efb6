"""How the network of ``vision.indices`` is made: cards and scenes to learn from, the training, its measuring.

Nothing here is needed to run it, and only ``train`` and ``nets`` need PyTorch. See ``docs/network.md``.
"""
