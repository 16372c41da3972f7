"""The names this server answers to.

A page elsewhere can give a name of its own the address of this machine, and a browser then takes
both for one site. So a name is known only if somebody here chose it. A bare address is always
known: nobody can make one point elsewhere.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

import streamlit as st

from tsnmf_ui.server import login

LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}  # addresses that only this machine can reach
ANY_HOST = "*"


@dataclass(frozen=True, slots=True)
class KnownHosts:
    """Names, and patterns such as ``*.example.org``; ``*`` knows them all."""

    names: frozenset[str]

    @classmethod
    def of(cls, names: Iterable[str | None]) -> KnownHosts:
        return cls(frozenset(name.strip().lower().rstrip(".") for name in names if name))

    def knows(self, host: str) -> bool:
        """Whether the value of a Host header names this server."""
        name = hostname(host)
        if not name:
            return False
        if ANY_HOST in self.names or name in self.names or _is_address(name):
            return True
        return any(each.startswith("*.") and name.endswith(each[1:]) for each in self.names)


def hostname(host: str) -> str:
    """The name in a Host header, without its port; nothing if it is none."""
    try:
        parsed = urlsplit(f"//{host}")
        _ = parsed.port  # a number, if there is one
    except ValueError:
        return ""
    return "" if parsed.netloc != host or "@" in host else (parsed.hostname or "").rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def known_hosts() -> KnownHosts:
    """The names of this machine, those in the settings, and the one where people sign in."""
    settings = [st.get_option("server.address"), st.get_option("browser.serverAddress")]
    allowed = list(st.get_option("server.allowedHosts") or ())
    return KnownHosts.of([*LOCAL_HOSTS, *_machine_names(), *settings, *allowed, login.host_name()])


def _machine_names() -> list[str]:
    """What this machine is called on its network; nobody is asked for it."""
    name = socket.gethostname()
    return [name, name.partition(".")[0], f"{name.partition('.')[0]}.local"]
