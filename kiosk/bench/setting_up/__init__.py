"""Set a hall up from nothing, by touches and presses alone: tables as they come out of their box, a page, no file.

    python -m kiosk.bench.setting_up --tables 30 --folder /tmp/setting-up

``table`` is the process of a table with a screen and a finger, ``__main__`` the direction and the people at its page.
"""
