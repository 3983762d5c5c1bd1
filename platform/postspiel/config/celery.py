"""The queue's app. Tasks are found in each Django app's `tasks` module."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "postspiel.config.settings")

app = Celery("postspiel")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
