"""Read files from strangers in a process of their own, with a limit on memory and on time.

``asking`` is the side of the caller: it hands over an open file and gets plain values back, as
lines of JSON; nothing that comes back is unpickled or trusted. ``children`` starts the processes:
``reader_process`` forks a child for every file, so that a file is read by a process that has seen
no other; ``answering`` is what such a child does, ``budget`` what it may use.
"""

from core.loading.isolation.asking import UNREADABLE_FILE, Answer, Refuse, ask
from core.loading.isolation.budget import Budget
from core.loading.isolation.children import start_reader_process

__all__ = ["UNREADABLE_FILE", "Answer", "Budget", "Refuse", "ask", "start_reader_process"]
