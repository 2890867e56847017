"""The picture in README.md, drawn by the library: `.venv/bin/python tests/book/readme_picture.py`.

The picture is kept in git, because the repository's web page can show only files in git.
"""

from __future__ import annotations

from pathlib import Path

from dpteach import figures
from dpteach.figures import _style

PICTURE = Path(__file__).parents[2] / ".github" / "reconstruction.svg"


def drawn() -> tuple[str, str]:
    """Return the picture as SVG, and the sentence that describes the picture."""
    axes = figures.rebuilt_rows(questions=192, noise=2, wide=True)
    return _style.svg(axes), figures.alt_text(axes)


if __name__ == "__main__":
    picture, sentence = drawn()
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture, "utf-8")
    print(f"{PICTURE}: {sentence}")
