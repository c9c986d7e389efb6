"""Keep the table's side of the line to the director."""

import sys

# httpx imports its own command line wherever that is installed, and with it rich, click and Pygments: 84 modules and
# 6 MB that no table needs. It does without where that cannot be imported.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
