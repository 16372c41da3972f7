"""A hidden listener that reruns its fragment, or its page, when a refit has arrived.

Call ``follow(project.id)`` once per page (best inside the fragment that shows topics): the
browser holds one event stream, and the server does nothing until there is news.
"""

from __future__ import annotations

import streamlit as st

from tsnmf_ui import access, state

_JS = """
export default function ({ data, parentElement, setStateValue }) {
  const host = parentElement;
  if (host.tsStream && host.tsStream.tsUrl === data.url) return () => host.tsStream.close();
  if (host.tsStream) host.tsStream.close();
  const stream = new EventSource(data.url);
  stream.tsUrl = data.url;
  stream.onmessage = (message) => {
    const event = JSON.parse(message.data);
    const ended = event.type === "fit" && ["done", "failed", "cancelled"].includes(event.phase);
    if (ended && event.number !== data.seen) setStateValue("fit", event.number);
  };
  host.tsStream = stream;
  return () => { stream.close(); host.tsStream = null; };
}
"""

_LISTENER = st.components.v2.component("ts_live", html="<span hidden></span>", js=_JS)


def follow(project: int, key: str = "live") -> None:
    """Rerun where this is called as soon as a fit of the project has ended."""
    token = access.token(state.author())
    url = f"api/events?project={project}&token={token}"
    _LISTENER(key=f"{key}-{project}", data={"url": url}, on_fit_change=lambda: None, height=1)
