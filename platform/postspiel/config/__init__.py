"""Settings, addresses of pages, queue, runner: what holds the platform's parts together."""

from postspiel.config.celery import app as celery_app

__all__ = ["celery_app"]
