"""Lay out and print the mat's sheet, and calibrate the camera by it."""
