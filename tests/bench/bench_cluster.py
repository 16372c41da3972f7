"""Files on a cluster of processes: time per pass, bytes moved per pass, peak memory per process.

    TSNMF_BENCH_DATA=folder python -m tests.bench.bench_cluster --texts 20000 215000 --processes 1 2

The texts are those of a corpus (``--corpus``, JSON lines with the field ``text``, in the folder),
drawn again and again, each time with its words drawn with replacement. Bytes are those of the
machine's loopback interface, so nothing else should use it meanwhile; medians over passes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
import os
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import psutil

from core import Cluster, ModelSpec
from core.cluster import TextColumns

TEXTS_PER_FILE = 5_000
MEBIBYTE = 2**20


class PassMeter:
    """Notes when each pass ended, what had gone over the loopback by then, and processor time."""

    def __init__(self) -> None:
        self.ends: list[tuple[float, float, float]] = []

    def __call__(self, progress: object) -> None:
        sent = psutil.net_io_counters(pernic=True)["lo"].bytes_sent
        self.ends.append((time.perf_counter(), processor_seconds(), sent))

    def per_pass(self) -> tuple[float, float, float]:
        """Median seconds, seconds of processors and bytes; the first pass is left out."""
        steps = np.median(np.diff(np.array(self.ends, dtype=float), axis=0), axis=0)
        return float(steps[0]), float(steps[1]), float(steps[2])


def processor_seconds() -> float:
    """Of this process and of the workers, which are its children."""
    here = psutil.Process()
    times = [each.cpu_times() for each in (here, *here.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def peak_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEBIBYTE


def base_texts(corpus: str) -> list[list[str]]:
    path = Path(os.environ["TSNMF_BENCH_DATA"]) / corpus
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line)["text"].split() for line in file]


def write_files(folder: Path, corpus: str, n_texts: int) -> None:
    """In a process of its own, so that the memory it takes is not counted."""
    base, rng = base_texts(corpus), np.random.default_rng(0)
    for start in range(0, n_texts, TEXTS_PER_FILE):
        with open(folder / f"part-{start:09}.jsonl", "w", encoding="utf-8") as file:
            for number in range(start, min(start + TEXTS_PER_FILE, n_texts)):
                words = base[rng.integers(len(base))] or ["nothing"]
                drawn = (words[i] for i in rng.integers(len(words), size=len(words)))
                file.write(json.dumps({"id": str(number), "text": " ".join(drawn)}) + "\n")


def measure(folder: Path, processes: int, topics: int, passes: int) -> str:
    meter, spec = PassMeter(), ModelSpec("nmf", topics, options={"max_iter": passes, "tol": 0.0})
    with Cluster(f"local:{processes}") as cluster:
        begun = time.perf_counter()
        found = cluster.fit_files(
            str(folder), spec, columns=TextColumns("text", "id", ""), callback=meter
        )
        whole = time.perf_counter() - begun
        workers = cluster.client.run_everywhere(peak_memory)
    seconds, processor, moved = meter.per_pass()
    n_terms = len(found.topics.terms)
    return (
        f"{found.n_docs:,} texts, {n_terms:,} terms, {topics} topics, {processes} processes: "
        f"{whole:.1f} s in all, {seconds:.3f} s ({processor:.3f} s of processors) and "
        f"{moved / MEBIBYTE:.1f} MiB a pass, "
        f"peak {max(workers):,.0f} MiB a worker, {peak_memory():,.0f} MiB here"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, nargs="+", default=[20_000])
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--topics", type=int, default=60)
    parser.add_argument("--passes", type=int, default=12)
    parser.add_argument("--corpus", default="acl_anthology.jsonl.gz")
    chosen = parser.parse_args()
    for n_texts in chosen.texts:
        with tempfile.TemporaryDirectory() as folder:
            given = (Path(folder), chosen.corpus, n_texts)
            writing = multiprocessing.get_context("spawn").Process(target=write_files, args=given)
            writing.start()
            writing.join()
            for processes in chosen.processes:
                print(measure(Path(folder), processes, chosen.topics, chosen.passes), flush=True)


if __name__ == "__main__":
    main()
