"""Who may act by mail: the table in docs/mail.md, row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from django.conf import settings
from django.utils import translation

from games.engine.language import reading_of
from postspiel import rows
from postspiel.mail.models import Incoming
from postspiel.mail.reading import Answered, Judged, Received, judge, ours_of
from postspiel.mail.reading.plain import fold
from postspiel.play.inbox import answering, confirming, holding, letterbox
from postspiel.play.inbox.letterbox import Mail
from postspiel.play.mails import frame
from postspiel.play.models import Seat

Verdict = Incoming.Verdict

_SEAT = rows.Select(Seat, "WHERE this.id = %s", "game")
_SAME = rows.Select(
    Incoming,
    "JOIN mail_address AS its ON its.id = this.address_id"
    " WHERE this.message_id = %s AND this.digest = %s AND this.id <> %s AND its.kind = %s AND its.object_id = %s"
    " AND this.verdict IN ('accepted', 'partial', 'rejected')",
    only=("id",),
)

type Meant = Callable[[str], str]


def seat(received: Received) -> Answered:
    """Take one mail to a seat's address.

    The token and a confirmed address of the seat's player act, unless our mail server says that the sender is false.
    From any other address the mail is held until its player confirms it; from another player of the game the address is
    renewed besides. A seat that was given up takes no mail; its former player is told so once.
    """
    one = _SEAT.get(received.address.object_id)
    if received.user is not None and received.user.pk == one.player_id:
        one.player = received.user
    return taken(one, received, lambda text: answering.as_press(one, text, received) or text)


def taken(one: Seat, received: Received, meant: Meant) -> Answered:
    """Take one mail for a seat. ``meant`` makes of its new text what is carried out."""
    if one.player is None or (not received.token and received.user != one.player):
        return holding.refuse(one, received)
    if _came_before(received):
        return Answered(Verdict.DROPPED, "The same mail came by another address.")
    with translation.override(one.player.locale):
        return _judged(one, received, meant)


def _came_before(received: Received) -> bool:
    """Whether the very mail came to the same address, written in another way (To and Cc), and was answered already."""
    this, to = received.incoming, received.address
    return bool(_SAME.values(this.message_id, this.digest, this.pk, to.kind, to.object_id))


def _judged(one: Seat, received: Received, meant: Meant) -> Answered:
    judged = judge(received.mail, received.sent, frame.language_of(one.game), received.others)
    mail = _mail(one, received, judged, meant)
    other = _other_player(one, received)
    if other is not None:
        return holding.hold(one, mail, "other-player", other=other)
    confirmed = confirming.confirm(one, mail)
    if confirmed is not None:
        return confirmed
    if received.user != one.player:
        return holding.hold(one, mail, "list" if judged.doubt == "list" else "unknown-sender")
    return (_with_token if received.token else _without_token)(one, mail, received, judged)


def _with_token(one: Seat, mail: Mail, received: Received, judged: Judged) -> Answered:
    """Judge a mail of the seat's player by what our mail server says of its sender, and by how clear it is."""
    if received.check == "fail":
        return holding.hold(one, mail, "sender-check")
    if received.check == "unknown" and one.game.strict_mail:
        return holding.hold(one, mail, "sender-check", his=True)
    return holding.hold(one, mail, judged.doubt, his=True) if judged.doubt else letterbox.carry_out(one, mail)


def _without_token(one: Seat, mail: Mail, received: Received, judged: Judged) -> Answered:
    """Judge a mail that is its writer's by what it answers and by From alone, which anybody can write."""
    reading = reading_of(judged.text, frame.language_of(one.game))
    press = [control for control in reading.controls if control.word == "press"]
    if received.check == "pass" and settings.POSTSPIEL_MAIL_TOKENLESS and not press and not judged.doubt:
        return letterbox.carry_out(one, mail)
    if received.check != "pass" and press and len(reading.controls) == len(press) and not reading.orders:
        return Answered(Verdict.DROPPED, "Press without the seat's address, from a sender who was not checked.")
    return holding.hold(one, mail, "no-token")


def _mail(one: Seat, received: Received, judged: Judged, meant: Meant) -> Mail:
    return Mail(
        incoming=received.incoming,
        sender=received.sender,
        text=meant(judged.text),
        ignored="\n".join(not_ours(judged.new.ignored, received.sent)),
        turn_number=letterbox.turn_answered(one, received.answers),
        unreadable=judged.unreadable,
        known_as=lambda: received.mail.sender_names,
    )


def not_ours(text: str, sent: Iterable[str]) -> Iterator[str]:
    """Leave the lines out that only repeat the mail that is answered: nobody misses them in a receipt."""
    ours = ours_of(sent)
    for line in text.splitlines():
        said = fold(line.lstrip("> \t"))
        if said and not ours.repeats(said):
            yield line


def _other_player(one: Seat, received: Received) -> Seat | None:
    if received.user is None or received.user == one.player:
        return None
    return Seat.objects.filter(game=one.game, player=received.user).exclude(pk=one.pk).first()
