"""The queue's app. Tasks are found in each Django app's `tasks` module."""

import os

from celery import Celery

from postspiel.config.spool import register

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "postspiel.config.settings")

register()
app = Celery("postspiel")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
