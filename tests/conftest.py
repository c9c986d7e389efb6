"""The suite gives the same answer each time: hypothesis draws the same examples, unless new ones are asked for.

``HYPOTHESIS_PROFILE=explore ./stichwart test`` draws others at every run.
"""

import os

from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
