"""The table of mail kinds: what mail must ask of the parts above it, by dotted path.

`postspiel.mail` imports none of the parts that cause mail. It reads this table through `settings.MAIL_KINDS`.
"""

type Kind = dict[str, str]

MAIL_KINDS: dict[str, Kind] = {}
