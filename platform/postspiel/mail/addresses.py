"""Address rows: one in force for each object, older generations kept so that they can be told apart from nonsense."""

from collections.abc import Iterable
from email.utils import parseaddr

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from postspiel import rows
from postspiel.mail import keys
from postspiel.mail.models import Address

_BY_DIGEST = rows.Select(Address, "WHERE this.digest = %s", only=("id",))


def address_for(kind: str, object_id: int) -> Address:
    """The address in force that stands for an object (`kind` is one of `ADDRESS_KINDS`); made if there is none."""
    found = Address.objects.filter(kind=kind, object_id=object_id, revoked=None).first()
    if found is None:
        return _make(kind, object_id, generation=1)
    return found if _secret(found) else renew(found)


def renew(address: Address) -> Address:
    """Revoke an address and make the next generation of it."""
    with transaction.atomic():
        Address.objects.filter(pk=address.pk, revoked=None).update(revoked=timezone.now())
        return _make(address.kind, address.object_id, generation=address.generation + 1)


def spell(address: Address, word: str) -> str:
    """The e-mail address with its token; `word` is what people see of it (`word+token@...`), unless the host set one.

    With a single mailbox there are no tokens: it is the server's own, and `keys.tag` in the subject names the row.
    """
    if settings.POSTSPIEL_MAIL_SCHEME == "single":
        return own()
    secret = _secret(address)
    if secret is None:
        raise ValueError(f"The key that {address} was made with is gone; renew it.")
    scheme, domain = settings.POSTSPIEL_MAIL_SCHEME, settings.POSTSPIEL_MAIL_DOMAIN
    return keys.spell(word, secret, scheme=scheme, domain=domain, box=settings.POSTSPIEL_MAIL_WORD)


def find(recipient: str) -> int | None:
    """The key of the address row that a recipient stands for, revoked or not; None if the token is none of ours."""
    secret = keys.find(recipient, settings.POSTSPIEL_MAIL_DOMAIN)
    found = _BY_DIGEST.values(keys.digest(secret)) if secret else ()
    return next((key for (key,) in found), None)


def has_token(recipient: str) -> bool:
    """Whether `recipient` looks like one of our addresses, without asking the database."""
    return keys.find(recipient, settings.POSTSPIEL_MAIL_DOMAIN) is not None


def tag(address: Address | None) -> str:
    """What the subject of a mail ends with, so that an answer finds its way; "" where the address does it."""
    return keys.tag(address.pk) if address and settings.POSTSPIEL_MAIL_SCHEME == "single" else ""


def tagged(subject: str) -> Address | None:
    """The address in force that the tag of a subject names. Anybody can write a tag: it says nothing of who writes."""
    found = keys.find_tag(subject)
    row = Address.objects.filter(pk=found).first() if found else None
    return address_for(row.kind, row.object_id) if row else None


def own() -> str:
    """The server's own address without a token: sender of what needs no answer, and of every envelope."""
    return parseaddr(settings.POSTSPIEL_MAIL_FROM)[1]


def is_own(recipient: str) -> bool:
    """Whether mail to `recipient` is for the server itself: its own address, or the postmaster (RFC 5321, 4.5.1)."""
    local = keys.local_part(recipient, settings.POSTSPIEL_MAIL_DOMAIN)
    return recipient.strip("<>").lower() == own().lower() or local == "postmaster"


def is_ours(recipient: str) -> bool:
    """Whether `recipient` is in our domain at all."""
    return recipient.strip("<>").lower() == own().lower() or (
        keys.local_part(recipient, settings.POSTSPIEL_MAIL_DOMAIN) is not None
    )


def accepts(recipient: str) -> bool:
    """Whether the doors take mail for `recipient`. Revoked addresses are taken, so that their writer gets an answer."""
    return is_own(recipient) or find(recipient) is not None


def _make(kind: str, object_id: int, *, generation: int) -> Address:
    word = keys.token(settings.SECRET_KEY, kind, object_id, generation)
    try:
        with transaction.atomic():
            return Address.objects.create(
                kind=kind, object_id=object_id, generation=generation, digest=keys.digest(word)
            )
    except IntegrityError:  # somebody else made it meanwhile
        return Address.objects.get(kind=kind, object_id=object_id, revoked=None)


def _secret(address: Address) -> str | None:
    """The token of an address, by the server's key or one of its older keys; None if the key is gone."""
    words = (keys.token(key, address.kind, address.object_id, address.generation) for key in _keys())
    return next((word for word in words if keys.digest(word) == address.digest), None)


def _keys() -> Iterable[str]:
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
