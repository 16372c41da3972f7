"""A small OpenID Connect provider on this machine: it signs in whoever is its ``person``.

It does what a real one does and no more: discovery, a code that is good once and for the client
that asked (PKCE), an id_token signed with RS256 that carries the nonce, its public key, sign-out.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256

CLIENT, PASSWORD = "studio", "only-for-tests"
Claims = dict[str, Any]


class Provider(ThreadingHTTPServer):
    """Listens on a free port of this machine; change ``person`` to have somebody else sign in."""

    daemon_threads = True

    def __init__(self, person: Claims) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.person = person
        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.key = generate_private_key(public_exponent=65537, key_size=2048)
        self.codes: dict[str, Claims] = {}
        self.signed_out = 0

    def secrets(self, app: str, cookie_secret: str) -> str:
        """The ``secrets.toml`` of an app at this address."""
        return f"""[auth]
redirect_uri = "{app}/oauth2callback"
cookie_secret = "{cookie_secret}"
client_id = "{CLIENT}"
client_secret = "{PASSWORD}"
server_metadata_url = "{self.issuer}/.well-known/openid-configuration"
"""

    def discovery(self) -> Claims:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "end_session_endpoint": f"{self.issuer}/leave",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def keys(self) -> Claims:
        numbers = self.key.public_key().public_numbers()
        key = {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "1"}
        return {"keys": [{**key, "n": _number(numbers.n), "e": _number(numbers.e)}]}

    def authorize(self, asked: dict[str, str]) -> str:
        """Where the browser goes next: back to the app, with a code."""
        code = secrets.token_urlsafe(16)
        self.codes[code] = {**asked, "person": dict(self.person)}
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, sent: dict[str, str], credentials: str) -> Claims | None:
        """An id_token for a code; None for a stranger, a used code or another's code."""
        asked = self.codes.pop(sent.get("code", ""), None)
        known = base64.b64encode(f"{CLIENT}:{PASSWORD}".encode()).decode()
        if asked is None or credentials != f"Basic {known}":
            return None
        challenge = _text(hashlib.sha256(sent["code_verifier"].encode()).digest())
        if challenge != asked["code_challenge"] or sent["redirect_uri"] != asked["redirect_uri"]:
            return None
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 600}
        id_token = self._sign({**claims, "nonce": asked["nonce"], **asked["person"]})
        return {"access_token": "unused", "token_type": "Bearer", "id_token": id_token}

    def _sign(self, claims: Claims) -> str:
        parts = ({"alg": "RS256", "typ": "JWT", "kid": "1"}, claims)
        signed = ".".join(_text(json.dumps(part).encode()) for part in parts)
        return f"{signed}.{_text(self.key.sign(signed.encode(), PKCS1v15(), SHA256()))}"


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        asked = _single(address.query)
        if address.path == "/.well-known/openid-configuration":
            self._json(self.server.discovery())
        elif address.path == "/keys":
            self._json(self.server.keys())
        elif address.path == "/authorize" and asked["client_id"] == CLIENT:
            self._go(self.server.authorize(asked))
        elif address.path == "/leave":
            self.server.signed_out += 1
            self._go(asked["post_logout_redirect_uri"])
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        sent = _single(self.rfile.read(int(self.headers["Content-Length"])).decode())
        answer = self.server.token(sent, self.headers.get("Authorization", ""))
        self._json(answer or {"error": "invalid_grant"}, 200 if answer else 400)

    def _json(self, answer: Claims, status: int = 200) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _go(self, address: str) -> None:
        self.send_response(302)
        self.send_header("Location", address)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""


def _single(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _number(value: int) -> str:
    return _text(value.to_bytes((value.bit_length() + 7) // 8, "big"))


@contextmanager
def providing(person: Claims) -> Iterator[Provider]:
    """A provider as long as it is needed."""
    with Provider(person) as provider:
        thread = threading.Thread(target=provider.serve_forever, daemon=True)
        thread.start()
        yield provider
        provider.shutdown()
        thread.join()
