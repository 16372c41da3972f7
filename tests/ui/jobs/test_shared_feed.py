"""What one server publishes reaches the pages of the others; SQLite has one server."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from core.store import Store
from tests.postgresql import Cluster
from tsnmf_ui.jobs import EVALUATE, FIT, FinishedFit, JobRunner
from tsnmf_ui.jobs.shared_feed import SharedFeed

PATIENCE = 60  # seconds, on a busy machine
LABEL = {"type": "recorded", "revision": 3, "client": "tab", "author": "Zoë", "position": 4}


class Server:
    """A feed on a store, and a job runner that shows what was fitted elsewhere."""

    def __init__(self, store: Store) -> None:
        self.fits: queue.SimpleQueue[tuple[str, int]] = queue.SimpleQueue()
        self.feed = SharedFeed(store, self._fitted)
        self.runner = JobRunner(lambda progress: {}, feed=self.feed)

    def _fitted(self, kind: str, project: int) -> None:
        self.runner.show_result(kind, project, FinishedFit(9))
        self.fits.put((kind, project))


@pytest.fixture
def servers(postgresql: Cluster, tmp_path) -> Iterator[list[Server]]:
    schema = postgresql.take_schema()
    with ExitStack() as opened:
        opened.callback(postgresql.give_back, [schema])
        address = postgresql.address_of(schema)
        stores = [opened.enter_context(Store.open(address, home=tmp_path)) for _ in range(2)]
        both = [Server(store) for store in stores]
        for server in both:
            opened.callback(server.feed.close_channel)
            opened.callback(server.runner.close)
            assert server.feed.wait_until_listening(PATIENCE)
        yield both


def heard(listener: Server, speak: Any, n: int = 1) -> list[Any]:
    """The next news of project 1 at a server, after somebody has spoken."""

    async def listen() -> list[Any]:
        news = listener.feed.subscribe(1)
        speak()
        return [await asyncio.wait_for(news.get(), PATIENCE) for _ in range(n)]

    return asyncio.run(listen())


def test_a_label_is_heard_at_the_other_server(servers: list[Server]) -> None:
    here, there = servers
    assert heard(there, lambda: here.feed.publish(1, LABEL)) == [LABEL]


def test_a_finished_fit_is_shown_at_the_other_server_and_no_further(servers: list[Server]) -> None:
    here, there = servers
    result = FinishedFit(9)
    [news] = heard(there, lambda: here.runner.show_result(FIT, 1, result))
    assert (news["type"], news["phase"], news["run"]) == ("fit", "done", 9)
    assert there.fits.get(timeout=PATIENCE) == (FIT, 1)
    assert not there.runner.state(EVALUATE, 1).active  # its own server scores it
    # Were it sent back, it would be heard here before the label.
    assert heard(here, lambda: there.feed.publish(1, LABEL)) == [LABEL]
    assert here.fits.empty()


def test_the_end_of_other_work_is_heard_each_time(servers: list[Server]) -> None:
    here, there = servers

    def speak() -> None:
        for _ in range(2):
            here.feed.publish(1, {"type": "task", "kind": EVALUATE, "phase": "running"})
            here.feed.publish(1, {"type": "task", "kind": EVALUATE, "phase": "done"})

    news = heard(there, speak, 2)
    assert [(each["kind"], each["phase"]) for each in news] == [(EVALUATE, "done")] * 2
    assert news[0]["number"] != news[1]["number"]


def test_after_lost_messages_every_page_looks_again(servers: list[Server]) -> None:
    here = servers[0]
    [news, fit] = heard(here, here.feed._catch_up, 2)
    assert news == {"type": "recorded"}
    assert fit["type"] == "fit"
    assert here.fits.get(timeout=PATIENCE) == (FIT, 1)


def test_alone_nothing_is_sent(store: Store) -> None:
    server = Server(store)
    assert heard(server, lambda: server.feed.publish(1, LABEL)) == [LABEL]
    assert not server.feed.wait_until_listening(0)
    server.feed.close_channel()
    server.runner.close()
