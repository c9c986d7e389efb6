"""Define the limits by which the camera's reports become events."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ObserverLimits:
    """Times and distances within which the observer takes reports as one."""

    # A card that was reported gone sooner than this (seconds) was never laid: something that was like a card. It must
    # be longer than vision waits before it reports that a single card is gone (1.2 s). Higher forgets cards that
    # players take back quickly, lower lets phantoms count as cards that were shown.
    phantom_s: float = 1.8
    # How long (seconds) a card that went may wait for the others of its trick: a trick is not always lifted at once.
    lifted_together_s: float = 0.6
    # Nobody deals faster than this (seconds): cards seen sooner after a game belong to no new one. They are the old
    # tricks being counted, a hand thrown in or the soloist's shown cards.
    dealing_s: float = 10.0
    # Cards of the open trick that are seen again under a new number, after a restart, are this near (mm).
    same_place_mm: float = 40.0
    # How long (seconds) a card against turn order is kept back, for one that was laid before it may still lie below a
    # hand; and how long at most, if a hand stays.
    order_wait_s: float = 0.5
    order_wait_most_s: float = 2.5
    # Cards that come to rest within this (seconds) are laid at once: a hand is over the mat for as long before. Higher
    # forgives who lays before his turn, lower accuses who lays with the one who is due.
    at_once_s: float = 0.45
    # Of cards laid at once another order is as likely if it is so little (nats) behind, 10 to 1: people are asked.
    # Higher asks more often, lower notes more cards for each other's seats.
    as_likely_nats: float = 2.3
    # Cards whose order was not seen that are ordered together: a trick and a lead.
    unordered_cards: int = 5
    # Cards of the last trick that lie open together are no new ones, from so many on: with one of them that the deck
    # has no more of or side by side in a fan, and where neither is so. Lower takes cards that were laid at once for the
    # last trick.
    looked_at_cards: int = 2
    looked_at_cards_left: int = 3
    # One of them may be read as another card, if the evidence for what it is has this share of what it was read by: in
    # a hand one covers the other. Higher takes a trick that is looked at for new cards, lower new ones for that.
    nearly_read_share: float = 0.9
    # Cards that are this near (mm) and this parallel (rad) lie in a fan; two people's are turned to their seats.
    fan_mm: float = 80.0
    fan_rad: float = 0.25
    # How long (seconds) a card of the last trick that cannot be laid any more is kept back for the others of it, or
    # until it goes or the next one is laid; one that can waits for the next picture alone.
    looked_at_wait_s: float = 4.0
    # Cards of a hand laid open come to rest within this (seconds): from so many on that lie side by side they are one
    # even if nobody has said so, from so many on if somebody has. Fewer take cards for one that were laid at once.
    shown_together_s: float = 1.0
    shown_cards: int = 3
    shown_cards_claimed: int = 2
    # So long (seconds) after hands were taken up a card lies face down that the deal has left there: one that fell is
    # turned over sooner, and who puts his hand down for a moment takes it up again.
    left_down_s: float = 4.0
    # The middle of the mat is so many times as large as the ellipse through the seats' places in it.
    middle_share: float = 1.4
    # A card that comes so parallel (rad) and near to a hand laid open is one of it, moved.
    beside_shown_rad: float = 0.5
    # So long (seconds) a hand laid open may lie there when nobody claims any more, since a card of it came or went.
    shown_s: float = 20.0
    # Cards noted last that are remembered: a hand laid open, and a trick.
    noted_lately: int = 20
    # For how long (seconds) nothing of the mat must have been seen for a whole trick to have been laid and taken in: in
    # haste it takes 2.5 s. Lower asks about tricks that nobody laid where somebody leads out of turn.
    unwatched_trick_s: float = 2.5
    # An arm whose bearing is this near (rad) to that of a card's arm, at the same time, is the one that brought it.
    same_arm_rad: float = 0.6
    # An arm whose bearing is this near (rad) to a seat's may be that seat's: who lays upon a neighbour's card crosses
    # the rim half way between the two (0.81 in a film). Higher takes neighbours' arms for the seat's own.
    seat_arm_rad: float = 1.0
    # A card that came this near (mm) to an equal one, which goes within this (seconds), is that one, pushed. Higher
    # takes two equal cards of a trick that is lifted card by card for one.
    pushed_mm: float = 30.0
    pushed_s: float = 3.0
    # A card that another seat lays this near (mm) to one that is gone at the same time (seconds) covers it: it was not
    # taken back.
    covers_mm: float = 30.0
    covers_s: float = 0.1
    # To take up a card and to lay another in its place takes so long (seconds) at least.
    exchanged_s: float = 0.8
    # Arms that leave within this (seconds) leave together: hands are drawn back more or less quickly (0.13 and 0.2 in
    # films in which the first to leave had laid upon the other). Higher gives the later seat what the earlier one laid
    # on top.
    left_together_s: float = 0.21
    # A hand that has left within this (seconds) when a trick is told as taken in may have taken it in.
    takes_in_s: float = 0.3
    # Share of an arm, ahead of any other, from which on it is clear that it has brought a card.
    clear_arm_share: float = 0.5
    # From which on no other arm has hidden the place of a card: of two laid at once the upper one has 0.86 in films.
    lone_arm_share: float = 0.95
    # Below which another arm was there, if the next seat's card is missing: in simulated rounds so are half of the
    # cards that were laid with another one, and one in thirty of the others. Higher puts cards to the next seat whose
    # card was missed otherwise.
    shared_arm_share: float = 0.65
    # Two arms side by side are told as one between them: it lies at least so far (rad) from where the card came from.
    # Of 15,000 cards of simulated rounds 1.6 % are brought by an arm that is. Lower puts cards to the next seat whose
    # card was missed otherwise.
    two_arms_rad: float = 0.4
    # Arms over the middle that are remembered: those of a trick, and some that came for nothing.
    arms_lately: int = 20
    # How long (seconds) a card against turn order is kept back where arms say that one before it was laid and not seen:
    # it may be read yet. Lower asks about cards that are read a moment later, higher shows later cards late.
    overlooked_wait_s: float = 0.8


LIMITS = ObserverLimits()
