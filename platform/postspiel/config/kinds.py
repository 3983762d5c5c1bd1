"""The tables by which mail asks the parts above it, by dotted path.

`postspiel.mail` imports none of the parts that cause mail or take answers. It reads these tables through
`settings.MAIL_KINDS` and `settings.ADDRESS_KINDS`.
"""

from typing import NotRequired, TypedDict


class MailKind(TypedDict):
    """One kind of outgoing mail.

    `render` names a function `(Outgoing) -> Letter`, called once, in the reader's language and time zone. `still_due`
    names a function `(Outgoing) -> bool`, asked before every attempt: a no cancels the mail. `secret` bodies are erased
    once they are sent. `mutable` ones can be unsubscribed from.
    """

    render: str
    still_due: NotRequired[str]
    secret: NotRequired[bool]
    mutable: NotRequired[bool]


MAIL_KINDS: dict[str, MailKind] = {
    "django": {"render": "postspiel.mail.backend.letter", "secret": True},
    "stuck": {"render": "postspiel.mail.notices.stuck"},
    "revoked": {"render": "postspiel.mail.notices.revoked"},
    "astray": {"render": "postspiel.mail.notices.astray"},
    "invitation": {"render": "postspiel.web.invitations.letter", "still_due": "postspiel.web.invitations.still_due"},
    "joined": {
        "render": "postspiel.play.mails.games.joined",
        "still_due": "postspiel.play.mails.games.joined_still_due",
    },
    "turn": {"render": "postspiel.play.mails.turns.turn", "still_due": "postspiel.play.mails.turns.turn_still_due"},
    "reminder": {
        "render": "postspiel.play.mails.turns.reminder",
        "still_due": "postspiel.play.mails.turns.reminder_still_due",
        "mutable": True,
    },
    "extended": {
        "render": "postspiel.play.mails.turns.extended",
        "still_due": "postspiel.play.mails.turns.turn_still_due",
    },
    "receipt": {"render": "postspiel.play.mails.receipt.receipt"},
    "press": {"render": "postspiel.play.mails.press.press", "mutable": True},
    "ended": {"render": "postspiel.play.mails.games.ended"},
    "cancelled": {"render": "postspiel.play.mails.games.cancelled"},
    "help": {"render": "postspiel.play.mails.answers.help_page"},
    "status": {"render": "postspiel.play.mails.answers.status"},
    "orders": {"render": "postspiel.play.mails.answers.orders"},
    "held": {"render": "postspiel.play.mails.answers.held", "still_due": "postspiel.play.mails.answers.held_still_due"},
    "resign-confirm": {"render": "postspiel.play.mails.answers.resign_confirm"},
    "resigned": {"render": "postspiel.play.mails.answers.resigned"},
    "refused": {"render": "postspiel.play.mails.answers.refused"},
    "alarm": {"render": "postspiel.play.mails.answers.alarm"},
}

ADDRESS_KINDS: dict[str, str] = {"seat": "postspiel.play.inbox.seat"}
"""What an address stands for: the dotted path of a function `(Received) -> Answered`."""
