"""The guide: what labels, names and codebook say about the rest of the documents.

``classifier`` is the guide itself, learnt by ridge regression (``ridge``) from ``teachers``:
labelled documents and ``descriptions`` of labels, seen by words, latent directions and meaning
(``views``, ``latent``), and by ``self_training`` from the documents that these make likely, each
trusted as far as ``source_weights`` says; its scores are ``linear``, labels stand on an equal
footing by ``balance``. ``calibration`` turns scores into chances, ``uncovered`` and ``novelty``
tell how much no label covers, ``pricing`` makes doubtful topics dear, ``starts`` begins topics;
``guided`` is all of it in one fit.
"""

__all__ = [
    "balance",
    "calibration",
    "classifier",
    "descriptions",
    "guided",
    "latent",
    "linear",
    "novelty",
    "pricing",
    "ridge",
    "self_training",
    "source_weights",
    "starts",
    "teachers",
    "uncovered",
    "views",
]
