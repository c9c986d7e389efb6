"""Name the seeds that are kept for measuring."""

#: First seed of everything simulated that is measured; tuning used seeds below.
HELD_OUT = 50_000
