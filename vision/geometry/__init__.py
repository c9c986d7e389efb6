"""Compute poses, projections of the mat's plane, lens distortion, rectification and card outlines."""
