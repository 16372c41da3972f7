"""A connection to Dask, and what is said when it cannot be made or breaks."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError
from importlib import import_module
from typing import Any

from core.errors import ClusterError

INSTALL_COMMAND = 'pip install "tsnmf-studio[cluster]"'
CONNECT_SECONDS = 10
CHECK_SECONDS = 2  # between two looks at the scheduler while a result is awaited
WAIT_FOR_WORKERS_SECONDS = 60
MAX_CHECKS_WITHOUT_WORKERS = WAIT_FOR_WORKERS_SECONDS // CHECK_SECONDS
LOCAL = "local:"
ADDRESS_FORMS = "“tcp://host:port” for a Dask scheduler, or “local:4” for four processes here"

NO_SIZE_WARNING = {"distributed.admin.large-graph-warning-threshold": "10GB"}

Future = Any  # distributed.Future: Dask is not imported unless it is used


class ResultsLost(Exception):
    """Workers died with something that only they held; who sent it can send it again."""


def distributed() -> Any:
    """Dask's package, if it is installed."""
    try:
        return import_module("distributed")
    except ImportError:
        raise ClusterError(f"A cluster needs Dask; install it: {INSTALL_COMMAND}") from None


class DaskClient:
    """Dask's client, with sentences for what can go wrong."""

    def __init__(self, address: str) -> None:
        self.address = address
        n_processes = _local_processes(address)
        package = distributed()
        self._owned = None if n_processes is None else _local_cluster(package, n_processes)
        try:
            self._client = package.Client(self._owned or address, timeout=CONNECT_SECONDS)
        except (OSError, ValueError, TimeoutError) as error:
            raise ClusterError(f"No Dask scheduler answers at {address}: {error}") from None

    def close(self) -> None:
        self._client.close()
        if self._owned is not None:
            self._owned.close()

    def workers(self) -> dict[str, int]:
        """The address of every worker, in a fixed order, and how many threads it has."""
        try:
            known = self._client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, TimeoutError, CancelledError):
            raise self._gone() from None
        return {address: int(known[address]["nthreads"]) for address in sorted(known)}

    def require_workers(self) -> dict[str, int]:
        """The same; where there is none, one that comes, or comes back, is awaited for a while."""
        workers = self.workers()
        if workers:
            return workers
        if not self.is_connected:
            raise self._gone()
        try:
            self._client.wait_for_workers(1, timeout=WAIT_FOR_WORKERS_SECONDS)
        except TimeoutError:
            raise ClusterError(f"The cluster at {self.address} has no workers.") from None
        except OSError:
            raise self._gone() from None
        return self.workers()

    def send(self, value: Any, worker: str) -> Future:
        """A large value to one worker, past the scheduler; gone if the worker dies."""
        try:
            return self._client.scatter(
                value, hash=False, workers=[worker], timeout=CONNECT_SECONDS
            )
        except (OSError, TimeoutError, CancelledError) as error:
            raise self._sentence() or ResultsLost(str(error)) from None

    def share(self, value: Any) -> Future:
        """A value for all workers, kept by the scheduler: no worker's death can lose it.

        One worker gets it from here, the others from one another.
        """
        with import_module("dask").config.set(NO_SIZE_WARNING):
            return self._client.submit(_same, value, pure=False)

    def submit(self, work: Callable[..., Any], *given: Any, worker: str | None = None) -> Future:
        """Have work done; on another worker if the one that was asked for is gone or busy."""
        where = {} if worker is None else {"workers": [worker], "allow_other_workers": True}
        return self._client.submit(work, *given, pure=False, **where)

    def submit_there(self, work: Callable[..., Any], *given: Any, worker: str) -> Future:
        """Have work done on one worker and no other: its result waits for ever if that is gone."""
        return self._client.submit(work, *given, pure=False, workers=[worker])

    def run_everywhere(self, work: Callable[[], Any]) -> list[Any]:
        """What a function gives in the process of each worker."""
        return list(self._client.run(work).values())

    @property
    def scheduler(self) -> str:
        """The address by which others reach the scheduler, too."""
        return str(self._client.scheduler.address)

    @property
    def is_connected(self) -> bool:
        return bool(self._client.status == "running")

    def result(self, future: Future, needed: Iterable[str] = ()) -> Any:
        """What a future holds; ResultsLost if what it needs went with a worker.

        ``needed`` are the workers whose part of the work no other may do.
        """
        without_workers = 0
        while True:
            try:
                return future.result(timeout=CHECK_SECONDS)
            except TimeoutError:
                workers = self._workers_left()
                if workers and not workers.issuperset(needed):
                    raise ResultsLost("A worker is gone.") from None
                without_workers = 0 if workers else without_workers + 1
                if without_workers > MAX_CHECKS_WITHOUT_WORKERS:
                    raise ClusterError("The cluster has lost all its workers.") from None
            except CancelledError as error:
                raise self._sentence() or ResultsLost(str(error)) from None
            except distributed().KilledWorker:
                raise ClusterError(
                    "Workers died again and again, most likely for lack of memory; "
                    "give them more, or use more of them."
                ) from None

    def _workers_left(self) -> set[str]:
        gone = self._sentence()
        if gone:
            raise gone
        return set(self.workers())

    def _sentence(self) -> ClusterError | None:
        """What to say if the scheduler is gone."""
        return None if self.is_connected else self._gone()

    def _gone(self) -> ClusterError:
        return ClusterError(
            f"The scheduler at {self.address} is gone, and the work with it; nothing was changed."
        )


def _same(value: Any) -> Any:
    return value


def _local_processes(address: str) -> int | None:
    """How many processes an address asks for on this machine; None: it is a scheduler's."""
    if address.startswith(LOCAL):
        number = address.removeprefix(LOCAL)
        if number.isascii() and number.isdigit() and int(number) > 0:
            return int(number)
    elif "://" in address:
        return None
    raise ClusterError(f"A cluster's address is {ADDRESS_FORMS}, not “{address}”.")


def _local_cluster(package: Any, n_processes: int) -> Any:
    return package.LocalCluster(
        n_workers=n_processes,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    )
