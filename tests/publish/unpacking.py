"""The search for secrets in files, and in all data that are packed or encoded within them."""

from __future__ import annotations

import base64
import binascii
import gzip
import html
import io
import json
import lzma
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

#: matches text that may be base64: at least 16 characters of base64, possibly in several lines
BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{16,}(?:\s*[A-Za-z0-9+/_-]{2,})*={0,2}")

#: matches a character that a string of JavaScript or JSON escapes, such as \u005f
ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")

#: how many layers of packed data inside packed data are unpacked; no published file has more than
#: six
DEPTH = 12


def found(folder: Path, secrets: Mapping[str, str | float]) -> list[str]:
    """Search the files of a folder for secrets, also in packed data within the files.

    Return a line ``path: name of the secret`` for each secret that is found in a file.

    Parameters
    ----------
    folder
        A folder or a file.
    secrets
        The secret words and numbers by name; the returned lines have these names.
    """
    patterns = {name: spellings(secret) for name, secret in secrets.items()}
    files = [folder] if folder.is_file() else sorted(p for p in folder.rglob("*") if p.is_file())
    lines = []
    for file in files:
        place = str(file.relative_to(folder)) if file != folder else file.name
        for inner, data in unpacked(place, file.read_bytes()):
            for name, forms in patterns.items():
                if any(form in data or form in inner.encode() for form in forms):
                    lines.append(f"{inner}: {name}")
    return sorted(set(lines))


def spellings(secret: str | float) -> list[bytes]:
    """Return the forms of a secret in a file: its text; for a number, also the bytes of a float."""
    if isinstance(secret, str):
        return [secret.encode()]
    return [f"{secret!r}".encode(), struct.pack("<d", secret), struct.pack(">d", secret)]


def unpacked(place: str, data: bytes, depth: int = DEPTH) -> Iterator[tuple[str, bytes]]:
    """Yield the place and the bytes of some data, then of all data that are packed inside them.

    Parameters
    ----------
    place
        A description of where the data are, such as ``a.zip > b.txt``.
    data
        The bytes to search for packed data.
    depth
        How many layers of packing to unpack.
    """
    yield place, data
    if depth:
        for name, inner in _inside(data):
            if inner and inner != data:
                yield from unpacked(f"{place} > {name}", inner, depth - 1)


def _inside(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Unpack or decode `data` once; yield a name and the bytes of each piece of data found.

    The name is that of the file in an archive, otherwise that of the format, such as "json".
    """
    if packed := [*_archive(data), *_compressed(data)]:
        yield from packed
        return
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        text = data.decode("utf-8", "replace")
        yield "html", html.unescape(text).encode()
        yield "escapes", ESCAPE.sub(lambda at: chr(int(at[1], 16)), text).encode("utf-8", "replace")
        yield from _base64(data)
    else:
        for text in _texts(told):
            yield "json", text.encode("utf-8", "surrogatepass")


def _archive(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file in a zip or tar archive; nothing for other data."""
    stream = io.BytesIO(data)
    if data[:2] == b"PK" and zipfile.is_zipfile(stream):
        with zipfile.ZipFile(stream) as packed:
            yield from ((entry.filename, packed.read(entry)) for entry in packed.infolist())
    elif data[257:262] == b"ustar":
        with tarfile.open(fileobj=stream) as bundled:
            files = (
                (entry.name, bundled.extractfile(entry)) for entry in bundled if entry.isfile()
            )
            yield from ((name, file.read()) for name, file in files if file is not None)


def _compressed(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the format's name and the unpacked bytes of compressed data; nothing for other data."""
    for name, begin, make in (
        ("gzip", b"\x1f\x8b", lambda: zlib.decompressobj(31)),
        ("zlib", b"\x78", zlib.decompressobj),
        ("xz", b"\xfd7zXZ", lzma.LZMADecompressor),
    ):
        if data.startswith(begin):
            try:
                if plain := make().decompress(data):  # type: ignore[no-untyped-call]
                    yield name, plain
            except (zlib.error, lzma.LZMAError):
                continue


def _base64(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield "base64" and the decoded bytes for each part of the data that may be base64."""
    for at in BASE64.finditer(data):
        text = re.sub(rb"\s", b"", at[0]).translate(bytes.maketrans(b"-_", b"+/")).rstrip(b"=")
        for piece in {text, *(one.rstrip(b"=") for one in at[0].split())}:
            try:
                yield "base64", base64.b64decode(piece + b"=" * (-len(piece) % 4))
            except binascii.Error:
                continue


def _texts(told: Any) -> Iterator[str]:
    """Yield each text in JSON data: strings, keys, and lists of strings joined to one text."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict):
        for name, value in told.items():
            yield name
            yield from _texts(value)
    elif isinstance(told, list):
        if told and all(isinstance(one, str) for one in told):
            yield "".join(told)
        for value in told:
            yield from _texts(value)


def packings(secret: bytes) -> dict[str, bytes]:
    """Return a secret in each form in which the search must find it; the keys name the forms."""
    notebook = {"cells": [{"outputs": [{"data": {"text/html": ["<b>", secret.decode(), "</b>"]}}]}]}
    ways = {
        "as it is": secret,
        "base64": base64.b64encode(secret),
        "base64 in lines": base64.encodebytes(b"." * 70 + secret),
        "base64 for addresses": base64.urlsafe_b64encode(b"\xff\xfe" + secret),
        "zlib": zlib.compress(secret),
        "gzip": gzip.compress(secret),
        "xz": lzma.compress(secret),
        "squeezed": base64.b64encode(zlib.compress(secret)),
        "squeezed gzip": base64.b64encode(gzip.compress(secret)),
        "json": json.dumps([secret.decode()]).replace("_", "\\u005f").encode(),
        "html": secret.replace(b"_", b"&#95;"),
        "notebook": json.dumps(notebook).encode(),
        "zip": _zip(secret),
        "tar": _tar(secret, "w"),
        "tar.gz": _tar(secret, "w:gz"),
    }
    deep = {
        "a": [
            {"b": base64.b64encode(zlib.compress(json.dumps([secret.decode()]).encode())).decode()}
        ]
    }
    return {
        **ways,
        "deep in json": json.dumps(deep).encode(),
        "zip in tar": _tar(_zip(secret), "w:gz"),
        "page in json in zip": _zip(json.dumps({"page": ways["html"].decode()}).encode()),
    }


def _zip(data: bytes) -> bytes:
    """Return a zip archive that contains only the given data."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("inner", data)
    return stream.getvalue()


def _tar(data: bytes, mode: Any) -> bytes:
    """Return a tar archive that contains only the given data, compressed by tarfile's `mode`."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as packed:
        entry = tarfile.TarInfo("inner")
        entry.size = len(data)
        packed.addfile(entry, io.BytesIO(data))
    return stream.getvalue()
