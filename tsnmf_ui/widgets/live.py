"""A hidden listener that reruns its fragment, or its page, when a refit or a score has arrived.

Call ``follow(project.id)`` once per page (best inside the fragment that shows topics): the
browser holds one event stream, and the server does nothing until there is news.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import streamlit as st

from tsnmf_ui import access, state

_JS = """
const streams = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  const held = streams.get(parentElement) || {};
  Object.assign(held, { run: data.run, tasks: data.tasks });
  held.tell = (run) => setStateValue("run", run);
  streams.set(parentElement, held);
  if (held.url !== data.url) {
    if (held.stream) held.stream.close();
    held.url = data.url;
    held.stream = new EventSource(data.url);
    held.stream.onmessage = (message) => {
      const event = JSON.parse(message.data);
      const ended = ["done", "failed", "cancelled"].includes(event.phase);
      if (event.type === "task" && ended && held.tasks.includes(event.kind)) {
        return held.tell(`${event.kind} ${event.number}`);
      }
      if (event.type === "fit" && event.phase === "failed") return held.tell(-event.number);
      if (event.type !== "fit" || event.phase !== "done" || event.run === held.run) return;
      held.run = event.run;
      held.tell(event.run);
    };
    held.stream.onerror = () => {
      if (held.stream.readyState !== 2) return; // refused: a restarted server knows another token
      clearTimeout(held.again);
      held.again = setTimeout(() => held.tell(-Date.now()), 2000);
    };
  }
  return () => {
    clearTimeout(held.again);
    held.stream.close();
    streams.delete(parentElement);
  };
}
"""


@cache
def _listener() -> Any:
    return st.components.v2.component("ts_live", html="<span hidden></span>", js=_JS)


def follow(project: int, key: str = "live", tasks: Sequence[str] = ()) -> None:
    """Rerun where this is called as soon as a newer fit of the project is there.

    ``tasks`` are kinds of work in the background whose end is news here too.
    """
    state.stay_signed_in()  # a fragment that draws itself again never meets the gate
    run = state.store().current_run(project)
    url = f"api/events?project={project}&token={access.token(state.author())}"
    data = {"url": url, "run": None if run is None else run.id, "tasks": list(tasks)}
    _listener()(key=f"{key}-{project}", data=data, on_run_change=lambda: None, height=1)
