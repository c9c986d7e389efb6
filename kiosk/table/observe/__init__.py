"""Turn reports of the camera into events."""
