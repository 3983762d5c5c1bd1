from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce


def reckon(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Write down for each open turn how many players owe it a sheet."""
    turns, sheets = apps.get_model("play", "Turn"), apps.get_model("play", "Sheet")
    late = sheets.objects.filter(turn=OuterRef("pk"), owes=True, status="none", seat__player__isnull=False)
    count = late.order_by().values("turn").annotate(late=Count("pk")).values("late")
    turns.objects.filter(status="open").update(owing=Coalesce(Subquery(count), 0))


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0009_holds"),
    ]

    operations = [
        migrations.AddField(
            model_name="turn",
            name="owing",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.RemoveIndex(
            model_name="sheet",
            name="sheet_due",
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(condition=models.Q(("status", "open")), fields=["deadline", "id"], name="turn_deadline"),
        ),
        migrations.RunPython(reckon, migrations.RunPython.noop),
    ]
