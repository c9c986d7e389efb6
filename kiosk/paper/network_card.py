"""Print how one gets into the direction's own Wi-Fi network: a code that telephones read, and the same to read."""

import segno.helpers

from kiosk.language import Language, say
from kiosk.paper.codes import draw_qr
from kiosk.paper.sheet import LEFT_MM, PdfSheet

_SIDE_MM = 70.0


def wifi_code(name: str, password: str) -> str:
    """Return the text of a QR code by which telephones join a network, as they all understand it."""
    return str(segno.helpers.make_wifi_data(name, password, "WPA"))


def network_card(name: str, password: str, address: str, language: Language = "de") -> bytes:
    """Draw the sheet as a PDF.

    :param address: of the direction's page, once one is in the network.
    """

    def word(code: str) -> str:
        return say("network_card", code, language)

    sheet = PdfSheet(word("title"))
    sheet.heading(word("title"), word("under"))
    for top, text, lines in (
        (45.0, wifi_code(name, password), ((word("name"), name), (word("password"), password))),
        (130.0, address, ((word("address"), address),)),
    ):
        draw_qr(sheet, LEFT_MM, top, _SIDE_MM, text)
        for number, (what, told) in enumerate(lines):
            y = top + 22.0 + number * 20.0
            sheet.text(LEFT_MM + _SIDE_MM + 8.0, y, what, 10)
            sheet.text(LEFT_MM + _SIDE_MM + 8.0, y + 7.5, told, 15, bold=True)
    return sheet.finish()
