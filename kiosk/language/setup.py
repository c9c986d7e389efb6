"""Words of the screens with which a table is set up: the lesson of a deck, and the camera's picture."""

from typing import Final

from kiosk.language import Words

SETUP: Final[Words] = {
    "lesson": ("Blatt lernen", "Learn a deck"),
    "lesson_title": ("Blatt lernen", "Learn a deck"),
    "lesson_ask": ("Diese Karte zeigen", "Show this card"),
    "lesson_back": ("Rückseite zeigen", "Show the back"),
    "lesson_skip": ("Später", "Later"),
    "lesson_repeat": ("Letzte noch einmal", "The last once more"),
    "lesson_stop": ("Abbrechen", "Stop"),
    "lesson_of": ("{done} von {all}", "{done} of {all}"),
    "lesson_clear": ("Bitte zuerst den leeren Tisch zeigen", "Please show the empty table first"),
    "lesson_nothing": ("Karte allein und ganz ins Bild legen", "Lay the card alone and whole into view"),
    "lesson_moving": ("Es bewegt sich etwas: Hand weg", "Something moves: hand away"),
    "lesson_reading": ("Still liegen lassen …", "Leave it still …"),
    "lesson_good": ("Gelernt!", "Learned!"),
    "lesson_next": ("Die kenne ich. Bitte die nächste", "I know this one. The next, please"),
    "lesson_cut": ("Ragt aus dem Bild, oder Hand im Bild", "Reaches out of the picture, or a hand is there"),
    "lesson_odd": ("Nur eine ganze Karte, sonst nichts", "One whole card only, nothing else"),
    "lesson_small": ("Zu klein: Kamera näher heran", "Too small: bring the camera nearer"),
    "lesson_blur": ("Unscharf: Kamera scharf stellen", "Blurred: focus the camera"),
    "lesson_glare": ("Licht spiegelt sich: Karte etwas drehen", "Light glares: turn the card a little"),
    "lesson_flat": ("Nichts gedruckt: liegt sie verdeckt?", "Nothing printed: does it lie face down?"),
    "lesson_down": ("Das ist die Rückseite: umdrehen", "This is the back: turn it over"),
    "lesson_same": ("Sieht aus wie {rival}, die ist schon gelernt", "Looks like {rival}, which is learned already"),
    "lesson_dark": ("Zu dunkel: Lampe einschalten", "Too dark: switch a lamp on"),
    "lesson_camera": ("Die Kamera liefert kein Bild: {detail}", "The camera gives no picture: {detail}"),
    "lesson_unfit": ("Nicht zu speichern: {detail}", "Cannot be kept: {detail}"),
    "lesson_done": ("Alle Karten gelernt", "All cards learned"),
    "lesson_no_picture": ("Kamerabild", "Camera"),
    # lesson
    "lesson_other": (
        "Das ist wohl {rival} – bitte die richtige zeigen",
        "That seems to be {rival} – please show the right one",
    ),
    "lesson_insist": ("Doch, das ist {card}", "Yes, this is {card}"),
    "lesson_again": ("{cards} noch einmal zeigen", "Show {cards} once more"),
    "lesson_alike": (
        "{one} und {other} sind ähnlich (Abstand {margin}): bitte beide noch einmal zeigen",
        "{one} and {other} are alike (margin {margin}): please show both once more",
    ),
    "lesson_fit": ("Geprüft: alle Karten sind gut zu unterscheiden", "Checked: all cards are told apart well"),
    "lesson_ready": ("Fertig", "Done"),
    "teach_title": ("Welches Blatt?", "Which deck?"),
    "teach_hint": (
        "Karten nach Farben sortieren, vom As abwärts. Jede Karte einmal allein auf die Matte legen, Hand weg – der "
        "Tisch sagt, wann er sie kennt.",
        "Sort the cards by suits, from the ace down. Lay each card once alone on the mat, hand away – the table says "
        "when it knows it.",
    ),
    "teach_n": ("{n} Karten zeigen", "show {n} cards"),
    "teach_doppelkopf": ("Doppelkopf", "Doppelkopf"),
    "teach_doppelkopf-40": ("Doppelkopf ohne Neunen", "Doppelkopf without nines"),
    "teach_schafkopf": ("Schafkopf, bayerisch", "Schafkopf, Bavarian"),
    "teach_back": ("Rückseite auch (verdeckte Karten)", "The back too (cards face down)"),
    "teach_no_back": ("Ohne Rückseite", "Without the back"),
    # looking through the camera
    "camera": ("Kamera", "Camera"),
    "no_camera": ("kein Bild", "no picture"),
    "deck_missing": ("Blatt lernen", "Learn the deck"),
    "no_deck": ("Kein Blatt gelernt", "No deck learned"),
    "no_deck_do": (
        "„Blatt lernen“ antippen: jede Karte wird einmal gezeigt.",
        "Touch “Learn a deck”: each card is shown once.",
    ),
    "wrong_deck": ("„{deck}“ hat nicht alle Karten dieses Spiels", "“{deck}” has not all cards of this game"),
    "wrong_deck_do": ("Anderes Blatt wählen, oder dieses Blatt lernen.", "Choose another deck, or learn this one."),
    "deck": ("Blatt", "Deck"),
    "deck_change": ("Blatt · Tippen: {deck}", "Deck · touch: {deck}"),
    "setup_hint": (
        "Die ganze Matte gehört ins Bild, Platz 1 unten. Zur Probe eine Karte in die Mitte legen.",
        "The whole mat belongs into the picture, seat 1 below. To try it, lay a card into the middle.",
    ),
    "setup_waiting": ("Das Kamerabild kommt …", "The camera’s picture is coming …"),
    "setup_good": ("Alles gut", "All is well"),
    "setup_good_do": (
        "Die Matte ist ganz im Bild, scharf und gut beleuchtet; eine Karte ist {value} Bildpunkte breit.",
        "The mat is whole in the picture, sharp and well lit; a card is {value} pixels wide.",
    ),
    "setup_cards": ("Ich sehe: {cards}", "I see: {cards}"),
    "setup_more": ("und {n} weitere", "and {n} more"),
    "setup_camera": ("Kein Kamerabild", "No picture from the camera"),
    "setup_camera_do": (
        "Kabel prüfen, Kamera neu einstecken. {why}",
        "Check the cable, plug the camera in again. {why}",
    ),
    "setup_dark": ("Zu dunkel", "Too dark"),
    "setup_dark_do": (
        "Lampe einschalten; ist eine Kappe auf der Kamera?",
        "Switch a lamp on; is there a cap on the camera?",
    ),
    "setup_dim": ("Ziemlich dunkel", "Rather dark"),
    "setup_dim_do": (
        "Mehr Licht auf die Matte, sonst rauscht das Bild.",
        "More light on the mat, or the picture is noisy.",
    ),
    "setup_bright": ("Zu hell", "Too bright"),
    "setup_bright_do": (
        "Lampe weiter weg oder schwächer: helle Farben sind ausgebrannt.",
        "Lamp further away or weaker: light colours are burnt out.",
    ),
    "setup_no_mat": ("Keine Matte zu sehen", "No mat to be seen"),
    "setup_no_mat_do": (
        "Matte unter die Kamera legen; die schwarzen Quadrate müssen frei sein.",
        "Lay the mat below the camera; its black squares must be free.",
    ),
    "setup_other_mat": ("Das ist eine andere Matte: {where} Plätze", "This is another mat: {where} seats"),
    "setup_other_mat_do": (
        "Die richtige auflegen, oder mat.paper und mat.seats in der Datei des Tisches ändern.",
        "Lay down the right one, or change mat.paper and mat.seats in the table’s file.",
    ),
    "setup_few_marks": ("Zu wenige schwarze Quadrate zu sehen", "Too few black squares to be seen"),
    "setup_few_marks_do": (
        "Quadrate frei machen; die ganze Matte muss ins Bild.",
        "Uncover the squares; the whole mat must be in the picture.",
    ),
    "setup_marks": ("Schwarzes Quadrat verdeckt: {where}", "A black square is covered: {where}"),
    "setup_marks_do": (
        "Frei machen: daran erkennt der Tisch, wo die Matte liegt.",
        "Uncover it: it tells the table where the mat lies.",
    ),
    "setup_cut": ("Die Matte ragt aus dem Bild: {where}", "The mat reaches out of the picture: {where}"),
    "setup_cut_do": (
        "Kamera höher hängen, oder die Matte zur Bildmitte rücken.",
        "Hang the camera higher, or push the mat to the middle of the picture.",
    ),
    "setup_middle_cut": ("Die Mitte der Matte ragt aus dem Bild", "The mat’s middle reaches out of the picture"),
    "setup_middle_cut_do": (
        "Matte zur Bildmitte rücken, sonst werden Karten abgeschnitten.",
        "Push the mat to the middle of the picture, or cards are cut off.",
    ),
    "setup_small": ("Karten zu klein: nur {value} Bildpunkte breit", "Cards are too small: only {value} pixels wide"),
    "setup_small_do": (
        "Kamera näher heran, oder in der Datei des Tisches mehr Bildpunkte einstellen.",
        "Bring the camera nearer, or set more pixels in the table’s file.",
    ),
    "setup_blurred": ("Unscharf", "Blurred"),
    "setup_blurred_do": ("Am Objektiv scharf stellen, Linse abwischen.", "Focus the lens, wipe it clean."),
    "setup_tilted": ("Die Kamera schaut schräg ({value}°)", "The camera looks from the side ({value}°)"),
    "setup_tilted_do": ("Senkrecht über die Mitte der Matte hängen.", "Hang it straight above the middle of the mat."),
    "setup_uneven": ("Die Matte liegt nicht glatt", "The mat does not lie flat"),
    "setup_uneven_do": ("Glatt streichen und an den Rändern festkleben.", "Smooth it out and tape its borders down."),
    "setup_glare": ("Spiegelung {where}", "Glare {where}"),
    "setup_glare_do": ("Lampe oder Kamera ein Stück versetzen.", "Move lamp or camera a little."),
    "setup_sun": ("Sonnenfleck {where}", "Sunlight {where}"),
    "setup_sun_do": ("Vorhang zu, oder den Tisch drehen.", "Draw the curtain, or turn the table."),
    "setup_moved": ("Matte oder Kamera wurde bewegt ({value} mm)", "Mat or camera was moved ({value} mm)"),
    "setup_moved_do": ("Neu eingemessen. Bitte beides festmachen.", "Measured anew. Please fasten both."),
    "setup_unknown": ("Diese Karte kenne ich nicht", "I do not know this card"),
    "setup_unknown_do": (
        "Liegt sie verdeckt? Ist es ein anderes Blatt, dann dieses Blatt lernen.",
        "Does it lie face down? If it is another deck, learn this deck.",
    ),
    "where_seat": ("bei Platz {seat}", "at seat {seat}"),
    "where_middle": ("in der Mitte", "in the middle"),
    "where_top_left": ("oben links", "upper left"),
    "where_top_right": ("oben rechts", "upper right"),
    "where_bottom_left": ("unten links", "lower left"),
    "where_bottom_right": ("unten rechts", "lower right"),
}

#: Notices at the table.
SETUP_NOTICES: Final[Words] = {
    "no_deck": (
        "Kein gelerntes Blatt hat alle Karten dieses Spiels: bitte die Karten eintippen, oder bei „Kamera“ das Blatt "
        "lernen",
        "No deck that was learned has all cards of this game: please enter the cards, or learn the deck at “Camera”",
    ),
}
