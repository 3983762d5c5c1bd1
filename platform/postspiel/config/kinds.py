"""The tables by which mail asks the parts above it, by dotted path.

`postspiel.mail` imports none of the parts that cause mail or take answers. It reads these tables through
`settings.MAIL_KINDS` and `settings.ADDRESS_KINDS`.
"""

from typing import NotRequired, TypedDict


class MailKind(TypedDict):
    """One kind of outgoing mail.

    `render` names a function `(Outgoing) -> Letter`, called once, in the reader's language and time zone. `still_due`
    names a function `(Outgoing) -> bool`, asked before every attempt: a no cancels the mail. `secret` bodies are erased
    once they are sent.
    """

    render: str
    still_due: NotRequired[str]
    secret: NotRequired[bool]


MAIL_KINDS: dict[str, MailKind] = {
    "django": {"render": "postspiel.mail.backend.letter", "secret": True},
    "stuck": {"render": "postspiel.mail.notices.stuck"},
    "revoked": {"render": "postspiel.mail.notices.revoked"},
    "astray": {"render": "postspiel.mail.notices.astray"},
}

ADDRESS_KINDS: dict[str, str] = {}
"""What an address stands for: the dotted path of a function `(Received) -> Answered`."""
