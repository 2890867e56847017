"""The fonts of the book are cut to the signs that it needs."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

BOOK = Path(__file__).parents[2] / "book"


def test_fonts_are_cut_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # an error of the build stood above a hundred lines on fonts
    monkeypatch.syspath_prepend(str(BOOK / "_ext"))
    import dpteach_face

    if not dpteach_face.MATH.is_file():
        pytest.skip("`make book` fetches the fonts")
    caplog.set_level(logging.INFO)
    dpteach_face.cut(dpteach_face.MATH, tmp_path / "cut.woff2", {ord("x"), ord("=")})
    assert (tmp_path / "cut.woff2").stat().st_size < 0.5 * dpteach_face.MATH.stat().st_size
    assert not [record for record in caplog.records if record.name.startswith("fontTools")]
