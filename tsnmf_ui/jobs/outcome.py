"""How a job ended, in the words of its state."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from core.errors import Cancelled, StudioError
from tsnmf_ui.jobs.state import Job

LOGGER = logging.getLogger("tsnmf_ui.jobs")


def outcome_of(
    job: Job, finish: Callable[[], Any], *, broke: str, stopping: bool
) -> dict[str, Any]:
    """The phase that a job ends in, with its result or a sentence on what went wrong.

    ``finish`` returns the result or raises; ``broke`` is said of faults, and of a process that died
    unless that was meant to stop the job.
    """
    try:
        return {"phase": "done", "share": 1.0, "result": finish()}
    except (Cancelled, CancelledError):
        return {"phase": "cancelled"}
    except StudioError as error:
        return {"phase": "failed", "error": str(error)}
    except BrokenProcessPool:
        return {"phase": "cancelled"} if stopping else {"phase": "failed", "error": broke}
    except Exception:
        LOGGER.exception("The job %s of project %s failed.", job.kind, job.project)
        return {"phase": "failed", "error": broke}
