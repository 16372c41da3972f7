"""The same models on a cluster: documents on the workers of Dask, topics on this machine.

Given the topics, each worker solves its own documents and returns small sums; this machine adds
them up and takes the topics' step that it would take alone (``core.engine.documents``). Dask
(``pip install "tsnmf-studio[cluster]"``) is imported when a cluster is asked for, not before.
"""

from core.cluster.app_cluster import CLUSTER_VARIABLE, app_cluster
from core.cluster.cluster import Cluster
from core.cluster.file_fit import FileTopics
from core.cluster.text_files import TextColumns

__all__ = ["CLUSTER_VARIABLE", "Cluster", "FileTopics", "TextColumns", "app_cluster"]
