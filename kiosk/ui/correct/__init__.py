"""Correct cards: doubts, missing cards, and the film of the last seconds."""
