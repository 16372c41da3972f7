"""A hidden listener that reruns its fragment, or its page, when a refit or a score has arrived.

Call ``follow(project.id)`` once per page (best inside the fragment that shows topics): the
browser holds one event stream, and the server does nothing until there is news. A page that nobody
sees holds none: a browser keeps but six connections to one server, for all its tabs and for the
pages one can go back to, and whatever asks for a seventh waits.
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
    rest(held);
    Object.assign(held, { url: data.url, rested: false });
    look(held);
  }
  if (!held.looks) {
    held.looks = () => look(held);
    held.rests = () => rest(held);
    document.addEventListener("visibilitychange", held.looks);
    window.addEventListener("pageshow", held.looks);
    window.addEventListener("pagehide", held.rests);
  }
  return () => {
    document.removeEventListener("visibilitychange", held.looks);
    window.removeEventListener("pageshow", held.looks);
    window.removeEventListener("pagehide", held.rests);
    rest(held);
    streams.delete(parentElement);
  };
}

function look(held) {
  if (document.hidden) return rest(held);
  if (held.stream) return;
  if (held.rested && held.tasks.length) held.tell(`seen again ${Date.now()}`); // one may have ended
  listen(held); // its first message is how the fit stands
}

function rest(held) {
  clearTimeout(held.again);
  held.rested = Boolean(held.stream) || held.rested;
  if (held.stream) held.stream.close();
  held.stream = null;
}

function listen(held) {
  const stream = new EventSource(held.url);
  held.stream = stream;
  stream.onmessage = (message) => {
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
  stream.onerror = () => {
    if (stream.readyState !== 2) return; // refused: a restarted server knows another token
    clearTimeout(held.again);
    held.again = setTimeout(() => held.tell(-Date.now()), 2000);
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
