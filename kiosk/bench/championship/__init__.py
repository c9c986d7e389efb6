"""Play a whole championship: a director's process, real tables, and people at the page's buttons in a browser.

    python -m kiosk.bench.championship --folder /tmp/championship

``plan`` says who plays and what happens, ``play`` what the simulated people lay, ``table`` is the process of one
table, ``tables`` all of them, ``page`` a browser's page as somebody uses it, ``course`` the evening, ``checks`` what
must hold.
"""
