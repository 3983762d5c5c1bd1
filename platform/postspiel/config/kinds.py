"""The tables by which mail asks the parts above it, by dotted path.

`postspiel.mail` imports none of the parts that cause mail or take answers. It reads these tables through
`settings.MAIL_KINDS` and `settings.ADDRESS_KINDS`.
"""

from typing import Literal, NotRequired, TypedDict


class MailKind(TypedDict):
    """One kind of outgoing mail.

    `render` names a function `(Outgoing) -> Letter`, called once, in the reader's language and time zone. `still_due`
    names a function `(Outgoing) -> bool`, asked before every attempt: a no cancels the mail. `secret` bodies are erased
    once they are sent. `choice` says what a reader may choose: "free" mails come at once, in the daily digest or never,
    "kept" ones cannot be left out, all others come at once. `urgent` names a function `(Outgoing, datetime) -> bool`:
    whether a mail that its reader wants in the digest must not wait until then.
    """

    render: str
    still_due: NotRequired[str]
    secret: NotRequired[bool]
    choice: NotRequired[Literal["kept", "free"]]
    urgent: NotRequired[str]


MAIL_KINDS: dict[str, MailKind] = {
    "django": {"render": "postspiel.mail.backend.letter", "secret": True},
    "stuck": {"render": "postspiel.mail.notices.stuck"},
    "revoked": {"render": "postspiel.mail.notices.revoked"},
    "astray": {"render": "postspiel.mail.notices.astray"},
    "digest": {"render": "postspiel.mail.digests.digest", "still_due": "postspiel.mail.digests.still_due"},
    "digest-answer": {"render": "postspiel.play.mails.answers.digest_answer"},
    "invitation": {"render": "postspiel.web.invitations.letter", "still_due": "postspiel.web.invitations.still_due"},
    "joined": {
        "render": "postspiel.play.mails.games.joined",
        "still_due": "postspiel.play.mails.games.joined_still_due",
        "choice": "free",
    },
    "turn": {
        "render": "postspiel.play.mails.turns.turn",
        "still_due": "postspiel.play.mails.turns.turn_still_due",
        "choice": "kept",
        "urgent": "postspiel.play.mails.turns.urgent",
    },
    "reminder": {
        "render": "postspiel.play.mails.turns.reminder",
        "still_due": "postspiel.play.mails.turns.reminder_still_due",
        "choice": "free",
        "urgent": "postspiel.play.mails.turns.urgent",
    },
    "extended": {
        "render": "postspiel.play.mails.turns.extended",
        "still_due": "postspiel.play.mails.turns.turn_still_due",
        "choice": "free",
    },
    "held-back": {
        "render": "postspiel.play.mails.holds.held_back",
        "still_due": "postspiel.play.mails.holds.still_due",
    },
    "receipt": {"render": "postspiel.play.mails.receipt.receipt"},
    "press": {
        "render": "postspiel.play.mails.press.press",
        "still_due": "postspiel.play.mails.press.still_due",
        "choice": "free",
    },
    "ended": {
        "render": "postspiel.play.mails.games.ended",
        "still_due": "postspiel.play.mails.games.ended_still_due",
        "choice": "kept",
    },
    "act": {"render": "postspiel.play.mails.deeds.act"},
    "cancelled": {"render": "postspiel.play.mails.games.cancelled"},
    "help": {"render": "postspiel.play.mails.answers.help_page"},
    "status": {"render": "postspiel.play.mails.answers.status"},
    "orders": {"render": "postspiel.play.mails.answers.orders"},
    "organiser-answer": {"render": "postspiel.play.mails.organising.answer"},
    "organiser-help": {"render": "postspiel.play.mails.organising.help_page"},
    "organiser-held": {
        "render": "postspiel.play.mails.organising.held",
        "still_due": "postspiel.play.mails.organising.held_still_due",
    },
    "history": {"render": "postspiel.play.mails.answers.history"},
    "player-mail": {"render": "postspiel.play.mails.organising.player_mail", "choice": "free"},
    "addresses": {"render": "postspiel.play.mails.answers.addresses"},
    "press-held": {
        "render": "postspiel.play.mails.press.press_held",
        "still_due": "postspiel.play.mails.press.press_held_still_due",
    },
    "held": {"render": "postspiel.play.mails.answers.held", "still_due": "postspiel.play.mails.answers.held_still_due"},
    "resign-confirm": {"render": "postspiel.play.mails.answers.resign_confirm"},
    "seat-lost": {"render": "postspiel.play.mails.seats.lost"},
    "seat-offered": {
        "render": "postspiel.play.mails.seats.offered",
        "still_due": "postspiel.play.mails.seats.offered_still_due",
        "choice": "free",
    },
    "seat-taken": {
        "render": "postspiel.play.mails.seats.taken",
        "still_due": "postspiel.play.mails.turns.turn_still_due",
    },
    "seat-news": {
        "render": "postspiel.play.mails.seats.news",
        "still_due": "postspiel.play.mails.seats.news_still_due",
        "choice": "free",
    },
    "resigned": {"render": "postspiel.play.mails.answers.resigned"},
    "refused": {"render": "postspiel.play.mails.answers.refused"},
    "alarm": {"render": "postspiel.play.mails.answers.alarm"},
}

ADDRESS_KINDS: dict[str, str] = {
    "seat": "postspiel.play.inbox.seat",
    "channel": "postspiel.play.inbox.channel",
    "organiser": "postspiel.play.inbox.organiser",
    "assistant": "postspiel.play.inbox.assistant",
    "digest": "postspiel.play.inbox.digest",
}
"""What an address stands for: the dotted path of a function `(Received) -> Answered`."""

MACHINES = "postspiel.play.inbox.machine"
"""Who hears of automatic mail, which is never answered: the dotted path of a function `(Incoming, str) -> None`."""
