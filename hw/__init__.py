"""Drive clock display, lamps, buzzer, buttons and scanner; the kiosk is not imported."""
