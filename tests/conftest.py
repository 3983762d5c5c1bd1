"""What all tests share: a data folder of their own, a queue in memory, quick passwords."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

hypothesis_settings.register_profile(
    "quick", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.register_profile("thorough", max_examples=1000, deadline=None)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


DATABASE = {"db", "transactional_db", "live_server"}


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Mark as `pure` what knows neither database nor queue: once on SQLite is enough for it. Long ones first."""
    for item in items:
        touches = item.get_closest_marker("django_db") or item.get_closest_marker("whole")
        if not touches and not DATABASE & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.pure)
    yield
    items[:] = _long_first(items)


def _long_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """Two processes begin with one half each: one with the browser, one with servers; neither ends with them."""
    browser = [item for item in items if item.get_closest_marker("browser")]
    whole = [item for item in items if item.get_closest_marker("whole") and item not in browser]
    first = {*browser, *whole}
    others = [item for item in items if item not in first]
    half = max(0, len(items) // 2 - len(browser))
    return [*browser, *others[:half], *whole, *others[half:]]


@pytest.fixture(autouse=True, scope="session")
def _house() -> Iterator[None]:
    """Keep tests off the developer's own data: `var/` is not written, no task reaches a real queue; German is there."""
    from django.conf import settings
    from django.test import override_settings

    from postspiel.config.catalogues import compile_stale
    from postspiel.config.celery import app

    for catalogues in settings.LOCALE_PATHS:
        compile_stale(catalogues)
    app.conf.update(broker_url="memory://", broker_transport_options={})
    staticfiles = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    # Overridden, not assigned: the signal makes forget whatever read the settings before (storages, hashers).
    with (
        tempfile.TemporaryDirectory() as folder,
        override_settings(
            PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
            CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
            STORAGES={**settings.STORAGES, "staticfiles": staticfiles},
            POSTSPIEL_DATA=Path(folder),
            # Most tests move the clock by days between two sweeps. Those of the brake put it in.
            POSTSPIEL_BRAKE_MINUTES=0,
            MEDIA_ROOT=str(Path(folder) / "media"),
            STATIC_ROOT=folder,
        ),
    ):
        yield


@pytest.fixture(autouse=True)
def _nobody_was_here_before() -> None:
    """Forget what outlives a test: limits counted in the cache, the last page's language and zone, rings yet to go."""
    from django.core.cache import cache
    from django.utils import timezone, translation

    from postspiel.mail import bell

    bell.flush()
    cache.clear()
    translation.deactivate()
    timezone.deactivate()
