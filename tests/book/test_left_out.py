"""Tests of a book with only some chapters: links to the other chapters become plain text."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXTENSIONS = ROOT / "book" / "_ext"
CONF = f"""
import sys
sys.path.insert(0, {str(EXTENSIONS)!r})
extensions = ["myst_parser", "sphinx_proof", "dpteach_left_out"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
root_doc = "book/front"
exclude_patterns = ["book/gone.md", "out"]
numfig = True
"""
FRONT = """# Front

See [](gone.md), [my words](gone.md), [](gone.md#gone-section), {ref}`gone-section`,
{ref}`in words <gone-section>`, {numref}`fig-gone`, {prf:ref}`thm-gone` and {eq}`eq-gone`.

```{toctree}
here
```
"""
GONE = """# Gone: a chapter

(gone-section)=
## A section

$$x = 1$$ (eq-gone)

```{prf:theorem} It holds
:label: thm-gone
It does.
```

```{figure} none.png
:name: fig-gone
```
"""


def extension() -> Any:
    """Import the extension `dpteach_left_out` from its file, and return the module."""
    spec = importlib.util.spec_from_file_location("left_out", EXTENSIONS / "dpteach_left_out.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(folder: Path, front: str) -> tuple[int, str]:
    """Build a book that leaves out the page `gone`; return the exit code and the messages."""
    (folder / "book").mkdir(exist_ok=True)
    (folder / "conf.py").write_text(CONF)
    for name, text in {"front": front, "here": "# Here\n\n[](front.md)\n", "gone": GONE}.items():
        (folder / "book" / f"{name}.md").write_text(text)
    words = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "-b", "html"]
    run = subprocess.run(
        [*words, str(folder), str(folder / "out")], capture_output=True, text=True, check=False
    )
    return run.returncode, run.stderr


def test_what_is_left_out_is_named_and_what_is_nowhere_is_an_error(tmp_path: Path) -> None:
    code, said = build(tmp_path, FRONT)
    assert code == 0, said
    page = (tmp_path / "out" / "book" / "front.html").read_text("utf-8")
    (paragraph,) = re.findall(r"<p>(See .*?)</p>", page, re.DOTALL)
    assert "href" not in paragraph
    told = " ".join(re.sub(r"<[^>]+>", "", paragraph).split())
    assert told == "See Gone, my words, Gone, Gone, in words, Gone, Gone and Gone."
    code, said = build(
        tmp_path, FRONT.replace("thm-gone", "thm-never").replace("gone.md)", "no.md)")
    )
    assert code != 0
    assert "thm-never" in said and "no" in said


@pytest.mark.parametrize("page", ["zcdp", "renyi_dp", "training"])
def test_all_labels_of_a_chapter_are_known(page: str) -> None:
    """`dpteach_left_out` finds every label that pages refer to, for example by {ref} or {eq}.

    In a book without the page of a label, references to this label would otherwise be errors.
    """
    texts = {path.stem: path.read_text("utf-8") for path in (ROOT / "book").glob("*.md")}
    pages = frozenset(f"book/{name}" for name in texts if name != page)
    found = extension().left_out(ROOT, pages)
    assert f"book/{page}" in found
    declared = {label for label in found if re.search(rf"\b{label}\b", texts[page], re.I)}
    assert len(declared) > 10
    roles = re.compile(r"\{(?:ref|numref|eq|prf:ref)\}`(?:[^`<]*<)?([\w-]+)>?`")
    own = {label.lower() for label in roles.findall(texts[page])}
    others = {
        label for name, text in texts.items() if name != page for label in roles.findall(text)
    }
    elsewhere = extension().left_out(ROOT, frozenset({f"book/{page}"}))
    unknown = {
        one for one in own | {o.lower() for o in others} if one not in {**found, **elsewhere}
    }
    assert unknown == set()
