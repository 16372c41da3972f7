"""Tables for people: keywords, quotes, trends, similarity, map, changes, what needs a look."""

__all__ = [
    "attention",
    "document_classes",
    "document_facts",
    "document_map",
    "label_checks",
    "neighbour_map",
    "overlap",
    "quotes",
    "several_values",
    "shares",
    "similarity",
    "summaries",
    "topic_details",
    "topic_titles",
    "trends",
]
