"""Signing up and in, language and zone, profile."""

import re
from pathlib import Path

import allauth
import pytest
from django.conf import settings
from django.core import mail
from django.template.loader import get_template
from django.test import Client
from django.urls import reverse

from postspiel.accounts import services
from postspiel.accounts.models import User
from tests.people import person, signed_in

NEWCOMER = {
    "email": "New@Example.org",
    "display_name": "Nora",
    "password1": "a-long-walk-to-the-post",
    "time_zone": "Europe/Vienna",
}


def code() -> str:
    found = re.search(r"^    (\S+)$", str(mail.outbox[-1].body), re.MULTILINE)
    assert found, mail.outbox[-1].body
    return found[1]


@pytest.mark.django_db
def test_signing_up_asks_for_the_code_that_was_mailed(client: Client) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    client.post(reverse("account_signup"), NEWCOMER)
    nora = User.objects.get(email="new@example.org")
    assert (nora.display_name, nora.locale, nora.time_zone) == ("Nora", "de", "Europe/Vienna")
    assert mail.outbox[-1].to == ["new@example.org"]

    wrong = client.post(reverse("account_email_verification_sent"), {"code": "AAA-AAA"})
    assert wrong.status_code == 200
    assert "_auth_user_id" not in client.session

    client.post(reverse("account_email_verification_sent"), {"code": code()})
    assert client.session["_auth_user_id"] == str(nora.pk)


@pytest.mark.django_db
def test_a_code_by_mail_signs_in_without_a_password(client: Client, olga: User) -> None:
    page = client.post(reverse("account_request_login_code"), {"email": olga.email}, follow=True)
    assert olga.email in page.content.decode()

    client.post(reverse("account_confirm_login_code"), {"code": code()})

    assert client.session["_auth_user_id"] == str(olga.pk)


@pytest.mark.django_db
def test_who_is_unknown_gets_the_same_page_and_another_mail(client: Client) -> None:
    page = client.post(reverse("account_request_login_code"), {"email": "nobody@example.org"}, follow=True)

    assert page.redirect_chain[-1][0] == reverse("account_confirm_login_code")
    assert reverse("account_signup") in mail.outbox[-1].body


@pytest.mark.django_db
def test_a_forgotten_password_is_replaced_by_code(client: Client, olga: User) -> None:
    client.post(reverse("account_reset_password"), {"email": olga.email})
    page = client.post(reverse("account_confirm_password_reset_code"), {"code": code()}, follow=True)
    fresh = {"password1": "quite-another-one-now", "password2": "quite-another-one-now"}

    client.post(page.redirect_chain[-1][0], fresh)

    olga.refresh_from_db()
    assert olga.check_password("quite-another-one-now")
    assert not olga.check_password("letters-by-post")


@pytest.mark.django_db
def test_sign_in_takes_the_right_password_only(client: Client, olga: User) -> None:
    login = reverse("account_login")
    refused = client.post(login, {"login": olga.email, "password": "letters-by-train"})
    assert refused.status_code == 200
    assert "_auth_user_id" not in client.session

    accepted = client.post(f"{login}?next=/profile/", {"login": olga.email, "password": "letters-by-post"})
    assert accepted.headers["Location"] == "/profile/"


def test_every_account_page_is_ours() -> None:
    theirs = Path(allauth.__file__).parent / "templates" / "account"
    others = {"phone", "passkey", "snippets", "base_entrance", "base_manage", "email_change", "email_confirm.html"}
    for path in theirs.rglob("*.*"):
        name = str(path.relative_to(theirs))
        if any(other in name for other in others) and not name.startswith("email/"):
            continue
        found = Path(get_template(f"account/{name}").origin.name)  # type: ignore[attr-defined]
        assert found.is_relative_to(settings.BASE_DIR / "templates"), name


@pytest.mark.django_db
def test_a_page_speaks_the_language_of_its_reader(client: Client) -> None:
    assert '<html lang="en">' in client.get("/").content.decode()

    german = signed_in(person("Gerda", locale="de")).get(reverse("profile"))

    assert '<html lang="de">' in german.content.decode()
    assert german.headers["Content-Language"] == "de"
    assert "Öffentlicher Name" in german.content.decode()


@pytest.mark.django_db
def test_the_language_switch_is_kept(client: Client, olga: User) -> None:
    answer = client.post(reverse("language"), {"language": "de", "next": "/about/"})
    assert answer.headers["Location"] == "/about/"
    assert '<html lang="de">' in client.get("/about/").content.decode()

    signed_in(olga).post(reverse("language"), {"language": "de"})
    olga.refresh_from_db()
    assert olga.locale == "de"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sent", "location"), (({"language": "xx"}, "/"), ({"language": "de", "next": "https://evil.example/"}, "/"))
)
def test_the_language_switch_leads_nowhere_else(client: Client, sent: dict[str, str], location: str) -> None:
    answer = client.post(reverse("language"), sent)

    assert answer.headers["Location"] == location
    assert (settings.LANGUAGE_COOKIE_NAME in client.cookies) == (sent["language"] == "de")


@pytest.mark.django_db
def test_the_profile_is_changed_by_its_owner(client: Client, olga: User) -> None:
    changed = {"display_name": "Olga O.", "locale": "de", "time_zone": "Asia/Tokyo"}
    assert client.post(reverse("profile"), changed).headers["Location"].startswith(reverse("account_login"))

    refused = signed_in(olga).post(reverse("profile"), {**changed, "time_zone": "Europe/Atlantis"})
    assert refused.context["form"].errors.keys() == {"time_zone"}
    olga.refresh_from_db()
    assert olga.display_name == "Olga"

    signed_in(olga).post(reverse("profile"), changed)
    olga.refresh_from_db()
    assert (olga.display_name, olga.locale, olga.time_zone) == ("Olga O.", "de", "Asia/Tokyo")


@pytest.mark.django_db
def test_an_invited_person_is_made_once_and_never_changed(olga: User) -> None:
    def welcome(email: str, *, confirmed: bool) -> User:
        return services.welcome(
            email=email, display_name="Ina", time_zone="Europe/Paris", locale="de", confirmed=confirmed
        )

    ina = welcome("Ina@example.org", confirmed=False)
    assert not ina.has_usable_password()
    assert not ina.emailaddress_set.get().verified  # type: ignore[attr-defined]

    assert welcome("ina@example.org", confirmed=True) == ina
    assert ina.emailaddress_set.get().verified  # type: ignore[attr-defined]
    assert welcome("OLGA@example.org", confirmed=False) == olga
    olga.refresh_from_db()
    assert olga.display_name == "Olga"


@pytest.mark.django_db
def test_errors_are_shown_in_our_design(client: Client) -> None:
    missing = client.get("/nowhere/")
    assert (missing.status_code, "postspiel.css" in missing.content.decode()) == (404, True)

    forged = Client(enforce_csrf_checks=True).post(reverse("language"), {"language": "de"})
    assert (forged.status_code, "postspiel.css" in forged.content.decode()) == (403, True)

    from postspiel.web.views.front import broken

    assert "postspiel.css" in broken(missing.wsgi_request).content.decode()


@pytest.mark.django_db
def test_who_asks_too_often_is_told_so(client: Client) -> None:
    answers = [client.post(reverse("account_signup"), {}) for _ in range(25)]

    assert answers[0].status_code == 200
    assert answers[-1].status_code == 429
    assert "postspiel.css" in answers[-1].content.decode()
