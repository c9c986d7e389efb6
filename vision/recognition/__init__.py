"""Recognise cards of a learned deck in a frame: proposals, refinement, classification, scene explanation."""
