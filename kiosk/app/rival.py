"""Look for a second direction that has this one's authority: the machine before a takeover that has come back.

Announcements are not believed: a direction counts only if it answers by the very authority's certificate, which nobody
else can show. Then it says how often its tournament was taken over; who was taken over serves no tables any more.
"""

import logging
from collections.abc import Callable, Sequence

import httpx
from fastapi import FastAPI

from kiosk.director.app import meet_rival
from kiosk.director.settings import Rival
from kiosk.sync.finding import Finder
from kiosk.sync.state import FoundDirection
from kiosk.sync.trust import trust

log = logging.getLogger(__name__)

_ANSWER_S = 3.0
_LARGEST = 4000  # signs of an answer


def watch_for_rivals(app: FastAPI) -> Callable[[], None]:
    """Look, in a thread, for others with the authority of a service; what is found stands in ``app.state.rival``.

    :returns: what ends it.
    """
    certificates = app.state.certificates

    def found(directions: Sequence[FoundDirection]) -> None:
        alike = [one.url for one in directions if one.fingerprint == certificates.fingerprint]
        rivals = [seen for url in alike if (seen := ask(url, certificates.authority, app)) is not None]
        rival = max(rivals, key=lambda one: one.takeovers, default=None)
        if rival != app.state.rival:
            log.warning("another direction with the same authority: %s", rival or "it has gone")
            meet_rival(app, rival)

    finder = Finder(found).start()
    return finder.stop


def ask(url: str, authority: str, app: FastAPI) -> Rival | None:
    """Ask a direction that says it has this authority how often it was taken over; None: it is this one, or has not."""
    try:
        with httpx.Client(verify=trust(authority), trust_env=False, timeout=_ANSWER_S) as client:
            answer = client.get(f"{url}/health")
            said = answer.json() if len(answer.content) <= _LARGEST else {}
        if said["process"] == app.state.process:
            return None
        takeovers = said["takeovers"]
        if type(takeovers) is not int or not 0 <= takeovers < 10**6:
            return None
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        return None
    return Rival(url=url, takeovers=takeovers, newer=takeovers > app.state.takeovers)
