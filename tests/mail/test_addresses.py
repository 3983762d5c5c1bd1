"""Tokens and addresses."""

import string

import pytest
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from postspiel.accounts.models import User
from postspiel.mail import addresses, keys, services
from postspiel.mail.models import Address
from postspiel.mail.people import owner_of

IDS = st.integers(1, 10**12)


@given(kind=st.sampled_from(("seat", "press")), number=IDS, generation=st.integers(1, 99))
def test_a_token_is_26_plain_signs_and_depends_on_everything(kind: str, number: int, generation: int) -> None:
    token = keys.token("key", kind, number, generation)

    assert len(token) == 26
    assert set(token) <= set(string.ascii_lowercase + "234567")
    others = {
        keys.token("other key", kind, number, generation),
        keys.token("key", kind + "x", number, generation),
        keys.token("key", kind, number + 1, generation),
        keys.token("key", kind, number, generation + 1),
    }
    assert token not in others
    assert len(others) == 4


@pytest.mark.parametrize("scheme", ("plus", "dash", "subdomain"))
@pytest.mark.parametrize("change", (str, str.upper, str.title, lambda text: f"<{text}>"))
def test_every_scheme_is_read_in_any_case(scheme: str, change: type[str]) -> None:
    token = keys.token("key", "seat", 1, 1)
    address = keys.spell("Kreml 12", token, scheme=scheme, domain="play.example.org")

    assert keys.find(change(address), "play.example.org") == token
    assert keys.find(change(address), "play.example.com") is None
    assert len(address.partition("@")[0]) <= 64


@pytest.mark.parametrize(
    ("subject", "number"),
    (
        ("Re: Turn 3 [Postspiel 17]", 17),
        ("AW: [Fwd: your turn [postspiel  17 ]]", 17),
        ("[Postspiel 3] Re: [Postspiel 17]", 17),
        ("Postspiel 17", None),
        (f"[Postspiel {'9' * 40}]", None),
        ("[Postspiel \u0661]", None),
        ("", None),
    ),
)
def test_a_tag_is_found_in_a_subject(subject: str, number: int | None) -> None:
    assert keys.find_tag(subject) == number
    assert keys.find_tag(keys.tag(5)) == 5


@pytest.mark.django_db
@override_settings(POSTSPIEL_MAIL_WORD="max.muster", POSTSPIEL_MAIL_DOMAIN="provider.example")
def test_a_mailbox_of_a_provider_is_the_word_of_every_address() -> None:
    address = services.address_for("seat", 1)
    spelled = services.spell(address, "kreml")
    assert spelled.startswith("max.muster+")
    assert addresses.find(spelled) == address.pk


def test_what_is_no_token_is_none() -> None:
    for address in ("", "@", "play@play.example.org", "play+abc@play.example.org", f"play+{'1' * 26}@play.example.org"):
        assert keys.find(address, "play.example.org") is None


@pytest.mark.django_db
def test_an_address_is_made_once_and_found_again() -> None:
    first, again, other = (services.address_for("seat", number) for number in (1, 1, 2))

    assert first == again
    assert first != other
    spelled = services.spell(first, "kreml")
    assert addresses.find(spelled.upper()) == first.pk
    assert spelled.startswith("kreml+")
    assert first.digest not in spelled


@pytest.mark.django_db
def test_a_renewed_address_is_told_apart_from_nonsense() -> None:
    old = services.address_for("seat", 1)
    spelled = services.spell(old, "kreml")
    new = services.renew(old)

    key = addresses.find(spelled)
    assert key is not None
    found = Address.objects.get(pk=key)
    assert found.revoked
    assert found.generation == 1
    assert addresses.find(services.spell(new, "kreml")) == new.pk
    assert services.address_for("seat", 1) == new
    assert new.revoked is None
    assert addresses.find(f"kreml+{'a' * 26}@play.example.org") is None


@pytest.mark.django_db
def test_an_address_outlives_a_change_of_key_while_the_old_key_is_kept() -> None:
    with override_settings(SECRET_KEY="first", SECRET_KEY_FALLBACKS=[]):
        address = services.address_for("seat", 1)
        spelled = services.spell(address, "kreml")
    with override_settings(SECRET_KEY="second", SECRET_KEY_FALLBACKS=["first"]):
        assert services.spell(services.address_for("seat", 1), "kreml") == spelled
    with override_settings(SECRET_KEY="second", SECRET_KEY_FALLBACKS=[]):
        renewed = services.address_for("seat", 1)
        assert renewed.generation == 2
        assert addresses.find(spelled) == address.pk
        assert addresses.find(services.spell(renewed, "kreml")) == renewed.pk


def test_only_confirmed_addresses_have_an_owner(ada: User, ben: User) -> None:
    assert owner_of("ADA@example.com") == ada
    assert owner_of("ada@work.example") == ada
    assert owner_of("ben@example.com") == ben
    assert owner_of("ada@unsure.example") is None
    assert owner_of("stranger@example.com") is None


def test_an_unconfirmed_claim_takes_nothing_from_an_owner(ada: User, ben: User) -> None:
    from allauth.account.models import EmailAddress

    EmailAddress.objects.create(user=ada, email="ben@example.com", verified=False)

    assert owner_of("ben@example.com") == ben


def test_a_new_account_owns_its_address_once_it_is_confirmed(db: None) -> None:
    from allauth.account.models import EmailAddress

    carl = User.objects.create_user("carl@example.com")
    row = EmailAddress.objects.create(user=carl, email="carl@example.com", verified=False)
    assert owner_of("carl@example.com") is None

    row.verified = True
    row.save()
    assert owner_of("carl@example.com") == carl

    carl.is_active = False
    carl.save()
    assert owner_of("carl@example.com") is None
