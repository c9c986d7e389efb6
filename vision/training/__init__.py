"""Train the networks of ``vision.indices.networks``: cards and scenes to learn from, training, measuring.

Nothing here is needed to run it, and only ``train`` and ``nets`` need PyTorch. See ``docs/network.md``.
"""
