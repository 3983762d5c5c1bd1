"""What was muted becomes a preference."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def keep(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Whoever muted a kind of mail wants it never."""
    preference = apps.get_model("mail", "Preference")
    rows = apps.get_model("mail", "Muted").objects.all()  # type: ignore[misc]  # there is no such model any more
    preference.objects.bulk_create(
        preference(user_id=row.user_id, kind=row.kind, how="never", since=row.since) for row in rows.iterator()
    )


def back(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """What is wanted never is muted; the rest cannot be said so."""
    muted = apps.get_model("mail", "Muted")  # type: ignore[misc]
    rows = apps.get_model("mail", "Preference").objects.filter(how="never", thread="")
    muted.objects.bulk_create(muted(user_id=row.user_id, kind=row.kind, since=row.since) for row in rows.iterator())


class Migration(migrations.Migration):
    dependencies = [
        ("mail", "0003_muted"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Preference",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=40)),
                ("thread", models.CharField(blank=True, max_length=80)),
                (
                    "how",
                    models.CharField(
                        choices=[("at_once", "At Once"), ("daily", "Daily"), ("never", "Never")], max_length=10
                    ),
                ),
                ("since", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="preferences",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "kind", "thread"), name="preference_once")],
            },
        ),
        migrations.RunPython(keep, back, elidable=True),
    ]
