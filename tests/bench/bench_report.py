"""Reports of large projects: bytes, seconds and memory of every format, and a browser's opening.

``python -m tests.bench.bench_report --texts 65000 --topics 439`` makes texts and topics of that
size (no model is fitted), describes them and writes every format. Add ``--formats html json``.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np

from core.report import FORMATS, ReportInput, build_report, labels_of_file, write_report
from core.spec import ModelSpec
from core.supervision import Supervision
from core.topics import Topics
from tests.bench.planted_texts import planted_texts


def material(n_docs: int, n_topics: int, seed: int = 0) -> ReportInput:
    """Texts with one to three topics each, every topic a label that a fifth of its texts carry."""
    rng = np.random.default_rng(seed)
    corpus = planted_texts(n_docs, seed)
    words = sorted({word for text in corpus.texts[:3000] for word in text.lower().split()})
    terms = tuple(word.strip(".,") for word in words)[:5000]
    odds = 1.0 / np.arange(2, n_topics + 2)
    W = np.zeros((n_docs, n_topics), dtype=np.float32)
    for weight in (1.0, 0.4, 0.2):
        column = rng.choice(n_topics, n_docs, p=odds / odds.sum())
        W[np.arange(n_docs), column] += weight
    H = rng.gamma(0.05, size=(n_topics, len(terms))).astype(np.float32)
    H /= np.linalg.norm(H, axis=1, keepdims=True)
    names = tuple(f"Label {k + 1:03d}" for k in range(n_topics))
    main = W.argmax(axis=1)
    labels = [[names[main[i]]] if i % 5 == 0 else [] for i in range(n_docs)]
    supervision = Supervision.of(labels, names)
    topics = Topics(
        doc_topic=W,
        topic_term=H,
        terms=terms,
        doc_ids=corpus.ids,
        names=names,
        n_supervised=n_topics,
        spec=ModelSpec(n_topics=n_topics),
    )
    people = labels_of_file(supervision)
    return ReportInput(topics=topics, corpus=corpus, supervision=supervision, people=people)


def opening_seconds(path: Path) -> float:
    """From the address to a page that is drawn, in Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page()
        begun = time.perf_counter()
        page.goto(path.as_uri())
        page.locator("footer").last.wait_for()
        seconds = time.perf_counter() - begun
        browser.close()
    return seconds


def memory() -> float:
    """The most this process has used so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=65_000)
    parser.add_argument("--topics", type=int, default=439)
    parser.add_argument("--formats", nargs="*", default=list(FORMATS))
    chosen = parser.parse_args()
    inputs = material(chosen.texts, chosen.topics)
    print(f"| {chosen.texts:,} texts, {chosen.topics} topics | MB | seconds | memory, MB more |")
    print("|---|---|---|---|")
    before, begun = memory(), time.perf_counter()
    report = build_report(inputs)
    print(f"| description | | {time.perf_counter() - begun:.1f} | {memory() - before:.0f} |")
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen.formats:
            before, begun = memory(), time.perf_counter()
            path = write_report(report, Path(folder) / f"report{FORMATS[name].suffix}")
            seconds, size = time.perf_counter() - begun, path.stat().st_size / 1e6
            print(f"| {name} | {size:.1f} | {seconds:.1f} | {memory() - before:.0f} |")
            if name == "html":
                print(f"| opened in Chromium | | {opening_seconds(path):.1f} | |")


if __name__ == "__main__":
    main()
