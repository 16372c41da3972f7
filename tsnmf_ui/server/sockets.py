"""Send answers without delay: no Nagle's algorithm on this server's sockets.

Streamlit binds its port with a socket whose protocol number is left open, and asyncio turns off
Nagle's algorithm only where that number says TCP. Headers and body are two small writes, so every
answer would wait some 40 ms for the browser's delayed acknowledgement of the first. Connections
inherit the option from the socket that listens, so setting it there, before anybody connects,
is enough.
"""

from __future__ import annotations

import os
import socket
import stat

MAX_DESCRIPTOR = 256  # a server that is starting has few files open
INTERNET_FAMILIES = (socket.AF_INET, socket.AF_INET6)


def disable_nagle() -> int:
    """Turn off Nagle's algorithm on every TCP socket open in this process; how many there were."""
    return sum(_disable_on(number) for number in range(MAX_DESCRIPTOR))


def _disable_on(number: int) -> bool:
    try:
        if not stat.S_ISSOCK(os.fstat(number).st_mode):
            return False
        with socket.socket(fileno=os.dup(number)) as twin:  # shares its options with the original
            if twin.family not in INTERNET_FAMILIES or twin.type != socket.SOCK_STREAM:
                return False
            twin.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return True
    except OSError:
        return False
