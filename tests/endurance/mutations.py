"""Ways to damage a file; the same random numbers give the same damage."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Sequence
from random import Random

NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
ODD_VALUES = (
    *(b"-1", b"0", b"1e999", b"-1e-999", b"9" * 40, b"2147483648", b"9223372036854775808"),
    *(b"null", b"true", b"[]", b"{}", b'""', b'"\\ud800"', b"NaN", b"Infinity", b"[[[[[]]]]]"),
    *(b"\0", b"\xff\xfe", b'"', b"'", b"<c ", b"&#0;", b"r='XFD1048576'", b"\r", b"\n", b";", b","),
    *(b"9999-12-31T23:59:59+00:00", b"0001-01-01", b"\x1f\x8b", b"PK\x03\x04", b"PAR1"),
)

Mutation = Callable[[bytes, Random, Sequence[bytes]], bytes]


def flip(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Some bits the other way round."""
    changed = bytearray(data)
    for _time in range(random.choice((1, 2, 8, 64))):
        if changed:
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def cut(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """A stretch less, or everything after a place."""
    start = random.randrange(len(data) + 1)
    stop = random.choice((len(data), min(len(data), start + random.randrange(1, 200))))
    return data[:start] + data[stop:]


def repeat(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """A stretch many times."""
    start = random.randrange(len(data) + 1)
    stretch = data[start : start + random.randrange(1, 40)]
    return data[:start] + stretch * random.choice((2, 10, 2_000)) + data[start:]


def splice(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """A stretch of another file."""
    other = random.choice(others) or b"x"
    start, place = random.randrange(len(other)), random.randrange(len(data) + 1)
    stretch = other[start : start + random.randrange(1, 2_000)]
    return data[:place] + stretch + data[place + random.choice((0, len(stretch))) :]


def noise(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Random bytes over a stretch, or instead of everything."""
    place, length = random.randrange(len(data) + 1), random.choice((1, 4, 16, 400))
    if random.random() < 0.05:
        return data[:4] + random.randbytes(random.randrange(400))
    return data[:place] + random.randbytes(length) + data[place + length :]


def odd_value(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Something that fits nowhere, in place of a number or anywhere."""
    value = random.choice(ODD_VALUES)
    numbers = list(NUMBER.finditer(data))
    if numbers and random.random() < 0.7:
        found = random.choice(numbers)
        return data[: found.start()] + value + data[found.end() :]
    place = random.randrange(len(data) + 1)
    return data[:place] + value + data[place:]


MUTATIONS: tuple[Mutation, ...] = (flip, cut, repeat, splice, noise, odd_value)


def mutated(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """One to three kinds of damage, to the file or to a member of the archive it is."""
    if data[:4] == b"PK\x03\x04" and random.random() < 0.6:
        return _member_mutated(data, random, others)
    for _ in range(random.choice((1, 1, 2, 3))):
        data = random.choice(MUTATIONS)(data, random, others)
    return data


def _member_mutated(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """The archive packed anew with one member damaged, missing, renamed or there twice."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        chosen, what = random.choice(old.namelist()), random.random()
        for name in old.namelist():
            content = old.read(name)
            if name == chosen:
                if what < 0.05:
                    continue
                name = f"{name}{random.choice(('x', '/../x', '.xml'))}" if what < 0.1 else name
                content = mutated(content, random, others) if what > 0.1 else content
            new.writestr(name, content, random.choice((0, 8, 8, 8, 12, 14)))
    return out.getvalue()
