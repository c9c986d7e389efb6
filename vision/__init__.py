"""Frames to placements: sees cards as labels on a mat; knows nothing of games."""
