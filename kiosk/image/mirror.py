"""Find the Debian mirror that this machine uses."""

import subprocess
from dataclasses import dataclass

from kiosk.image.tools import ImageError

COMPONENTS = "main non-free-firmware"


@dataclass(frozen=True, slots=True)
class Mirror:
    """Where Debian's packages come from.

    :param url: of the archive, or of a day of it in Debian's snapshots: then an image can be made again as it was.
    """

    url: str

    def sources(self, suite: str) -> list[str]:
        """Return the lines of sources.list: the release, its updates, what was put right for security, the backports.

        Of the backports apt takes what is asked for from there, and nothing else.
        """
        security = self.url.replace("/debian", "/debian-security", 1)
        return [
            f"deb {self.url} {suite} {COMPONENTS}",
            f"deb {self.url} {suite}-updates {COMPONENTS}",
            f"deb {security} {suite}-security {COMPONENTS}",
            f"deb {self.url} {suite}-backports {COMPONENTS}",
        ]


def usual_mirror() -> Mirror:
    """Return the mirror that apt of this machine has for Debian itself.

    :raises ImageError: it has none.
    """
    words = ["apt-get", "indextargets", "--format", "$(ORIGIN)|$(LABEL)|$(REPO_URI)", "Created-By: Packages"]
    try:
        told = subprocess.run(words, capture_output=True, text=True).stdout
    except FileNotFoundError:
        told = ""
    for line in told.splitlines():
        origin, label, url = line.split("|", 2)
        if (origin, label) == ("Debian", "Debian"):
            return Mirror(url.rstrip("/"))
    raise ImageError("this machine's apt has no mirror of Debian: name one by --mirror URL")
