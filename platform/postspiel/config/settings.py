"""Django's settings. What a host may set is read from the environment here and nowhere else; see docs/settings.md."""

from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from django.utils.csp import CSP
from django.utils.translation import gettext_lazy as _

from postspiel.config import kinds
from postspiel.config.environment import Environment, database, imap, smtp
from postspiel.config.secret import kept_key, private_folder

BASE_DIR = Path(__file__).resolve().parents[3]
environment = Environment()

# What a host may set

POSTSPIEL_DATA = private_folder(environment.path("DATA", BASE_DIR / "var"))
POSTSPIEL_LISTEN = environment.text("LISTEN", "127.0.0.1:8000")
POSTSPIEL_URL = environment.text("URL", f"http://{POSTSPIEL_LISTEN}").rstrip("/")
_url = urlsplit(POSTSPIEL_URL)
_host = _url.hostname or "localhost"
ALLOWED_HOSTS = environment.words("HOSTS", (_host, "localhost", "127.0.0.1", "[::1]"))
SECRET_KEY = environment.text("SECRET_KEY") or kept_key(POSTSPIEL_DATA / "secret-key")
SECRET_KEY_FALLBACKS = environment.words("OLD_SECRET_KEYS")
DEBUG = environment.flag("DEBUG", default=False)

_database = environment.url(
    "DATABASE", ("sqlite", "postgresql"), default=f"sqlite:///{quote(str(POSTSPIEL_DATA / 'postspiel.sqlite3'))}"
)
assert _database is not None  # noqa: S101 - it has a default
DATABASES = {"default": database(_database)}
POSTSPIEL_BROKER = environment.url(
    "BROKER", ("spool", "redis", "rediss", "amqp", "amqps"), default=f"spool://{quote(str(POSTSPIEL_DATA / 'spool'))}"
)
assert POSTSPIEL_BROKER is not None  # noqa: S101 - it has a default

POSTSPIEL_MAIL_DOMAIN = environment.text(
    "MAIL_DOMAIN", _host if "." in _host and not _host[0].isdigit() else "localhost"
)
POSTSPIEL_MAIL_SCHEME = environment.choice("MAIL_SCHEME", ("plus", "dash", "subdomain", "single"))
POSTSPIEL_MAIL_WORD = environment.text("MAIL_WORD")
POSTSPIEL_MAIL_LISTEN = environment.text("MAIL_LISTEN", "127.0.0.1:2525")
POSTSPIEL_MAIL_LMTP = environment.text("MAIL_LMTP")
POSTSPIEL_IMAP: list[dict[str, Any]] = [
    imap(url) for url in environment.urls("MAIL_IMAP", ("imap", "imap+tls", "imaps"))
]
POSTSPIEL_MAIL_FROM = environment.text("MAIL_FROM", f"Postspiel <postspiel@{POSTSPIEL_MAIL_DOMAIN}>")
POSTSPIEL_MAIL_AUTHSERV = environment.text("MAIL_AUTHSERV")
POSTSPIEL_MAIL_DKIM = environment.text("MAIL_DKIM")
POSTSPIEL_MAIL_TOKENLESS = environment.flag("MAIL_TOKENLESS", default=POSTSPIEL_MAIL_SCHEME == "single")
POSTSPIEL_BRAKE_MINUTES = environment.number("BRAKE_MINUTES", default=30)
_smtp = environment.url("SMTP", ("smtp", "smtp+tls", "smtps"))
POSTSPIEL_POSTBOX = environment.flag("POSTBOX", default=_smtp is None)

# Parts

AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
ROOT_URLCONF = "postspiel.config.urls"
WSGI_APPLICATION = "postspiel.config.wsgi.application"

INSTALLED_APPS = [
    "postspiel.config.apps.ConfigConfig",
    "postspiel.web",
    "postspiel.api",
    "postspiel.reports",
    "tournaments",
    "postspiel.play",
    "postspiel.mail",
    "postspiel.accounts",
    "allauth",
    "allauth.account",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.forms",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "postspiel.accounts.middleware.person",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "django.template.context_processors.i18n",
                "django.template.context_processors.tz",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "postspiel.web.context.site",
            ],
        },
    },
]

FORM_RENDERER = "postspiel.web.rendering.FormRenderer"

# People

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_CHANGE = True
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_SIGNUP_FORM_CLASS = "postspiel.accounts.forms.SignupForm"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_DEFAULT_HTTP_PROTOCOL = _url.scheme

# Called by `manage.py run` on a new server, with its first organiser.
DEMO_GAME = "postspiel.play.services.make_demo_game"

# Languages and time

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"

# Mail: everything that Django or allauth sends goes through the outbox, which sends by POSTSPIEL_SMTP.

MAIL_KINDS, ADDRESS_KINDS = kinds.MAIL_KINDS, kinds.ADDRESS_KINDS
MACHINES = kinds.MACHINES
DEFAULT_FROM_EMAIL = SERVER_EMAIL = POSTSPIEL_MAIL_FROM
MAILERS: dict[str, dict[str, object]] = {"default": {"BACKEND": "postspiel.mail.backend.OutboxBackend"}}
POSTSPIEL_SMTP = smtp(_smtp) if _smtp else None

# Pages and their safety

STATIC_URL = "static/"
STATIC_ROOT = POSTSPIEL_DATA / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = POSTSPIEL_DATA / "media"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_MANIFEST_STRICT = not DEBUG
SECURE_CSP = {
    "default-src": [CSP.SELF],
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF, CSP.NONCE],
    "img-src": [CSP.SELF, "data:"],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.SELF],
}
X_FRAME_OPTIONS = "SAMEORIGIN"
_https = _url.scheme == "https"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _https
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _https else None
SECURE_HSTS_SECONDS = 31_536_000 if _https else 0
CSRF_TRUSTED_ORIGINS = [POSTSPIEL_URL]
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if _https else 0

# What web processes must know in common (limits of attempts) they share where Redis is there.

if POSTSPIEL_BROKER.scheme in {"redis", "rediss"}:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": POSTSPIEL_BROKER.geturl(),
            "KEY_PREFIX": "cache",
        }
    }

# Log: everything goes to standard error; the runner keeps it in a file for each part.

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO"},
        # Five sweeps every 20 seconds, each with a line for its begin and its end, would hide all else.
        **{f"celery.{name}": {"level": "WARNING"} for name in ("app.trace", "beat", "worker.strategy")},
        # aiosmtpd tells every line of every dialogue, and with it the secret addresses.
        "mail.log": {"level": "WARNING"},
        # It tells of each of its two dozen attempts, and the addresses that it finds.
        "flufl.bounce": {"level": "WARNING"},
        # Printing tells of every page and every glyph.
        **{name: {"level": "WARNING"} for name in ("weasyprint", "weasyprint.progress", "fontTools")},
    },
}

# Queue. No result backend: a task's result is what it wrote. Due times live in rows and are swept, never in the queue.

_spool = POSTSPIEL_BROKER.scheme == "spool"
CELERY_BROKER_URL = "spool://localhost" if _spool else POSTSPIEL_BROKER.geturl()
CELERY_BROKER_TRANSPORT_OPTIONS = {"folder": unquote(POSTSPIEL_BROKER.path)} if _spool else {}
CELERY_WORKER_ENABLE_REMOTE_CONTROL = not _spool
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE_FILENAME = str(POSTSPIEL_DATA / "beat")
CELERY_BEAT_SCHEDULE: dict[str, dict[str, object]] = {
    "play results onto ladders": {"task": "tournaments.pull", "schedule": 20, "options": {"expires": 20}},
    "make reports": {"task": "reports.sweep", "schedule": 20, "options": {"expires": 20}},
    "play due turns": {"task": "play.sweep", "schedule": 20, "options": {"expires": 20}},
    "read waiting mail": {"task": "mail.read_waiting", "schedule": 20, "options": {"expires": 20}},
    "make digests": {"task": "mail.gather", "schedule": 20, "options": {"expires": 20}},
    "send due mail": {"task": "mail.send_due", "schedule": 20, "options": {"expires": 20}},
}
