"""Read a deck that nobody has taught: by its indices at first, then by the faces that were learned in play.

The size of its cards is measured on the first ones that lie alone, the faces come from games that were played to their
end (``vision.teaching.from_play``). Once all are known the deck is written, and read by, in one step between two games.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from vision.camera.frame import Frame
from vision.deck.deck import BAVARIAN_SIZE, FRENCH_SIZE, Deck
from vision.deck.folder import deck_names
from vision.errors import DeckError
from vision.images import decoded
from vision.mat.calibration import Calibration
from vision.mat.layout import MatLayout
from vision.messages import CardLaid, FaceNamed, LearnPlayed, NameFace, PlayedFaces, Report, VisionSettings
from vision.service.untaught_recogniser import UntaughtRecogniser, has_indices
from vision.teaching.back_from_play import PlayedBack
from vision.teaching.from_play import PlayedDeck
from vision.teaching.known_faces import KnownFaces
from vision.teaching.measured_size import MeasuredSize, measure_card
from vision.tracking.tracker import Tracker

#: Name of a deck that has no face yet; it is never written.
UNTAUGHT = "untaught"
#: Later pictures that are kept: those of a game, and of the next one until it is certain what was laid in this one.
LATER_PICTURES = 100


class UntaughtReading:
    """The reading of a deck that nobody has taught, and what is learned of it.

    :param faces: labels of the cards that are played with.
    """

    def __init__(self, faces: tuple[str, ...]) -> None:
        self.faces = faces
        self._measured = MeasuredSize()
        self._back = PlayedBack()
        self._later: dict[bytes, bytes] = {}  # cards' pictures as they were told → those of later readings
        self._known = KnownFaces(self.usual_size)
        self._recogniser = UntaughtRecogniser(faces, self._known)
        self._learned: PlayedDeck | None = None
        self._waiting: list[LearnPlayed] = []
        self._work: Iterator[None] | None = None
        self._folder: Path | None = None

    def tracker(self, layout: MatLayout, calibration: Calibration | None, settings: VisionSettings) -> Tracker:
        """Make a tracker that reads no deck."""
        deck = Deck(UNTAUGHT, self.usual_size, {})
        return Tracker(
            deck,
            layout,
            calibration,
            recogniser=self._recogniser,
            lying=settings.lying,
            first_card=settings.first_card,
        )

    @property
    def usual_size(self) -> tuple[float, float]:
        """Width and height in mm that cards of these labels have as a rule."""
        return FRENCH_SIZE if has_indices(self.faces) else BAVARIAN_SIZE

    def begin(self, tracker: Tracker) -> None:
        """Have a tracker that read by a deck read no deck any more; its cards are as large if it has some of these."""
        self._recogniser.measured = not set(self.faces).isdisjoint(tracker.deck.faces)
        size = tracker.deck.size_mm if self._recogniser.measured else self.usual_size
        self._known.take_size(size)
        tracker.read_by(self._recogniser)
        tracker.take_deck(Deck(UNTAUGHT, size, {}))

    def take_faces(self, tracker: Tracker, faces: tuple[str, ...]) -> None:
        """Read cards of other labels from now on."""
        measured = self._recogniser.measured and not set(faces).isdisjoint(self.faces)
        self.faces, self._learned, self._work = faces, None, None
        self._waiting.clear()
        self._recogniser = UntaughtRecogniser(faces, self._known)
        self._recogniser.measured = measured
        tracker.read_by(self._recogniser)
        if not measured:
            self._measured = MeasuredSize()
            self._known.take_size(self.usual_size)
            tracker.take_deck(Deck(UNTAUGHT, self.usual_size, {}))

    def look(self, tracker: Tracker, frame: Frame, reports: list[Report]) -> None:
        """Keep pictures of the cards that lie there, measure the first ones, and look at the packets of tricks won.

        Pictures of later readings show a card as a rule once the hand that laid it has gone. Packets are at rest when
        the next trick is led.
        """
        for card in tracker.state.cards:
            if card.picture is not None and card.later_picture is not None and card.picture not in self._later:
                self._later[card.picture] = card.later_picture
                if len(self._later) > LATER_PICTURES:
                    del self._later[next(iter(self._later))]
        laid = [report for report in reports if isinstance(report, CardLaid) and not report.face_down]
        calibration = tracker.state.calibration
        if len(laid) != 1 or len(tracker.quads) != 1 or calibration is None:
            return
        if not self._measured.enough:
            self._measure(tracker, laid[0].card, frame, calibration)
        elif calibration.layout is not None:
            self._back.see(frame.image, calibration.view, calibration.layout, tracker.deck.size_mm)

    def _measure(self, tracker: Tracker, card: int, frame: Frame, calibration: Calibration) -> None:
        """Measure the one card that lies there, by its number, and tell the tracker the size once it is known."""
        measured = measure_card(frame.image, calibration.view, tracker.quads[0], tracker.deck.size_mm)
        if measured is None:
            return
        self._measured.add(card, *measured)
        size = self._measured.size_mm
        if size is None:
            return
        self._recogniser.measured = True
        if size != tracker.deck.size_mm:
            tracker.take_deck(Deck(UNTAUGHT, size, {}))
            self._known.take_size(size)

    def take(self, learn: LearnPlayed, folder: Path | None) -> None:
        """Learn from these cards when there is time."""
        self._folder = folder
        cards = tuple((label, self._later.get(picture, picture)) for label, picture in learn.cards)
        self._waiting.append(replace(learn, cards=cards))

    def name(self, named: NameFace) -> FaceNamed:
        """Take it that a picture shows the card that somebody has named, and find those in doubt that look like it."""
        shown, alike = decoded(named.picture), []
        if shown is not None and named.label in self.faces:
            self._known.add(named.label, shown)
            for number, jpeg in named.open:
                picture = decoded(jpeg)
                if picture is not None and (value := self._known.likeness(named.label, picture)):
                    alike.append((number, round(value, 3)))
        return FaceNamed(label=named.label, alike=tuple(alike))

    @property
    def busy(self) -> bool:
        """Whether something is left to be learned from."""
        return bool(self._waiting)

    def step(self, tracker: Tracker) -> PlayedFaces | None:
        """Do one step of the work, some ten milliseconds; what is learned once all is done.

        The last step, with which a tracker begins to read by the whole deck, takes half a second.
        """
        learn = self._waiting[0]
        size = tracker.deck.size_mm
        if self._learned is None or self._learned.size_mm != size or self._learned.labels != learn.faces:
            self._learned = PlayedDeck(learn.name, learn.faces, learn.copies, size)
        if self._work is None:
            self._work = self._learn(self._learned, learn)
        try:
            next(self._work)
            return None
        except StopIteration:
            self._work = None
            del self._waiting[0]
        return self._finished(tracker, self._learned)

    def _learn(self, learned: PlayedDeck, learn: LearnPlayed) -> Iterator[None]:
        """Learn faces; while some lack, cards are named by those that are known."""
        yield from learned.learn(learn.cards)
        if not learned.whole:
            for label, face in learned.faces.items():
                self._known.add(label, face)
                yield

    def _finished(self, tracker: Tracker, learned: PlayedDeck) -> PlayedFaces:
        known, of = len(learned.faces), len(learned.labels)
        if not learned.whole:
            return PlayedFaces(known=known, of=of)
        try:
            deck = learned.deck()  # two labels with one picture make none, whatever is kept
            deck = replace(deck, back=self._back.learned(deck))
            kept = self._kept(learned)
            if kept is None:
                deck.save(self._folder)
            deck = kept or deck
        except DeckError as error:
            learned.drop()
            return PlayedFaces(known=0, of=of, why=str(error))
        tracker.read_by(None)
        tracker.take_deck(deck)
        return PlayedFaces(known=known, of=of, deck=deck.name)

    def _kept(self, learned: PlayedDeck) -> Deck | None:
        """Find the deck of the folder that looks like this one: it came back to the table."""
        for name in deck_names(self._folder):
            try:
                deck = Deck.load(name, self._folder)
            except DeckError:
                continue  # a damaged file is told where decks are chosen
            if learned.looks_like(deck):
                return deck
        return None
