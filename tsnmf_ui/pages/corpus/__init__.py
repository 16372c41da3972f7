"""The Corpus page (``page``).

new_project reads an upload or a collection, open_project shows the open one; word_settings,
text_form, column_choice, overview and collections are their widgets; ``model_form``,
model_options, ``model_catalogue`` and model_advice choose the model; new_texts reads further files
by it; intake turns uploads into projects and draws nothing. The pages beside it use ``model_form``
and ``model_catalogue``, too.
"""

__all__ = []
