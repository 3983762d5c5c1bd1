"""How forms are rendered."""

from django.forms.renderers import TemplatesSetting


class FormRenderer(TemplatesSetting):
    """Django's own renderer with our field: label, help, errors, widget, in the order in which they are read."""

    field_template_name = "forms/field.html"
