from django.forms.renderers import TemplatesSetting


class Renderer(TemplatesSetting):
    """Every form of the site in the site's look, without a filter in any template."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"
