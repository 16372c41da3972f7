"""News for whoever watches a project."""

from __future__ import annotations

import asyncio

from tests.ui.jobs.fakes import Harness
from tsnmf_ui.jobs import FIT
from tsnmf_ui.jobs.event_feed import MAX_UNREAD, Feed


def test_subscribers_hear_from_other_threads():
    runner = Harness().runner

    async def listen():
        queue = runner.feed.subscribe(1)
        await asyncio.to_thread(runner.request, FIT, 1)
        return await asyncio.wait_for(queue.get(), 5)

    assert asyncio.run(listen())["phase"] == "waiting"


def test_a_slow_subscriber_loses_old_news_only():
    async def listen():
        feed = Feed()
        queue = feed.subscribe(1)
        for n in range(MAX_UNREAD + 10):
            feed.publish(1, {"n": n})
        await asyncio.sleep(0)
        return [queue.get_nowait()["n"] for _ in range(queue.qsize())]

    heard = asyncio.run(listen())
    assert heard[-1] == MAX_UNREAD + 9
    assert len(heard) == MAX_UNREAD
