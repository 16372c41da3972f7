"""The look of the app.

palette holds the colours of topics, style the style sheets and the layout of figures, texts the
sentences and formats that several pages share.
"""

__all__ = ["palette", "style", "texts"]
