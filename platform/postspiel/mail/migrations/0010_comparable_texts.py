"""Keep the texts that answers may quote as they are compared; those kept before are read again from the mails."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """The old column is dropped, not converted: whatever it held, an empty text is made anew when an answer comes."""

    dependencies = (("mail", "0009_texts_that_answers_quote"),)

    operations = (
        migrations.RemoveField(model_name="outgoing", name="texts"),
        migrations.AddField(
            model_name="outgoing",
            name="texts",
            field=models.TextField(blank=True, default=""),
        ),
    )
