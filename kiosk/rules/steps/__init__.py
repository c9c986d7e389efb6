"""Apply the steps of a game: each function takes a game and returns the next one.

Facts are recorded, lawful or not; what breaks a rule is found in ``Game.offences``. Only what cannot be at all raises
:class:`~kiosk.rules.engine.values.Impossible`.
"""
