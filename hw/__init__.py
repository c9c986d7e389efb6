"""Clock display, lamps, buzzer, buttons, scanner; knows nothing of the kiosk."""
