"""A small course whose secret texts contain canaries: words that no published file may contain."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from small_course import HEADER, ask_nbgrader_once

ROOT: Final = Path(__file__).resolve().parents[2]
NAME: Final = "small"

#: only lines with at least this many characters count as secrets, because shorter lines may occur
#: in public files by chance
LONG: Final = 30

#: for each kind of secret, a word that its text contains, or for "hidden case" a number. A
#: published file with one of these words, or with the number, leaks a secret
CANARIES: Final[dict[str, str | float]] = {
    "answer cell": "canary_answer_5b1f",
    "model answer": "canary_model_answer_90ce",
    "hidden case": 73519.25,
    "hidden case in words": "canary_hidden_words_e2d4",
    "hidden implementation": "canary_suspect_c40a",
    "reference": "canary_reference_77d0",
    "bank": "canary_bank_1a6e",
    "marking scheme": "canary_rubric_d8f3",
    "text source": "canary_text_36b9",
}

_HEADER = HEADER.replace("---\njupytext", "---\n# canary_text_36b9\njupytext").removesuffix("---\n")

SOURCE: Final = f"""{_HEADER}data: [data/table.csv]
---

# A small assignment

```{{code-cell}} ipython3
:kind: solution
:name: double

def double(x):
    \"\"\"Twice x.\"\"\"
    ### BEGIN SOLUTION
    canary_answer_5b1f = 2 * x
    return canary_answer_5b1f
    ### END SOLUTION
```

```{{code-cell}} ipython3
:kind: reference

def canary_reference_77d0(x):
    return 2.0 * x


def thrice(x):
    return 3.0 * x


def canary_suspect_c40a(x):
    return 2.0 * x + (x > 100)


def added(x):
    return x + x


def scaled(x):
    return x * 2.0
```

```{{code-cell}} ipython3
:kind: check

Check(
    name="double_values", points=2, call="double", expected=canary_reference_77d0,
    compare=Relative(1e-9), book="renyi_dp#renyi-dp", visible=[Case(1.5), Case(-2.25)],
    hidden=[Case(73519.25, words="canary_hidden_words_e2d4")],
    mistakes=[Mistake(lambda x: x * x, "That is the square.")],
)
```

```{{code-cell}} ipython3
:kind: solution
:name: examine

def examine(implementation):
    \"\"\"Reject an implementation that does not double.\"\"\"
    ### BEGIN SOLUTION
    assert all(implementation(x) == 2 * x for x in (1.0, 200.0))
    ### END SOLUTION
```

```{{code-cell}} ipython3
:kind: check

TestsCheck(
    name="test_of_double", points=1, call="examine", compare=Relative(1e-9),
    visible=[Suspect(scaled, right=True), Suspect(thrice, words="It triples.")],
    hidden=[
        Suspect(added, right=True, words="It adds."),
        Suspect(canary_reference_77d0, right=True, words="It is exact."),
        Suspect(canary_suspect_c40a, words="It adds 1 to large answers."),
    ],
)
```

+++ {{"kind": "manual", "name": "why", "points": 3}}

Why?

### BEGIN RUBRIC
canary_rubric_d8f3
### END RUBRIC

### BEGIN SOLUTION
canary_model_answer_90ce
### END SOLUTION
"""

BANK: Final = """## thrice (double_values: 0)
canary_bank_1a6e
```diff
-    canary_answer_5b1f = 2 * x
+    canary_answer_5b1f = 3 * x
```
"""

ANSWERS: Final = {
    "double": "def double(x):\n    return 2 * x",
    "examine": "def examine(f):\n    assert f(2.0) == 4.0",
    "why": "Because it is so.",
}


@dataclass(frozen=True)
class Published:
    """A student bundle as a zip file, and the folder of the same bundle after unpacking."""

    zip: Path
    folder: Path

    @property
    def assignment(self) -> Path:
        """The folder of the course's only assignment, `NAME`, in the unpacked bundle."""
        return self.folder / "course" / "assignments" / NAME


def make_course(root: Path) -> Path:
    """Make a course with one small assignment in a folder, and build the assignment's release."""
    from dpteach.grading.author.build import build_assignments

    for file, text in (
        (f"assignments/{NAME}.md", SOURCE),
        (f"assignments/{NAME}/data/table.csv", "x\n1\n"),
        (f"mutants/{NAME}/double.md", BANK),
    ):
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "course_src" / "nbgrader_config.py", root)
    ask_nbgrader_once()
    build_assignments(root, [NAME])
    return root


def tree(folder: Path) -> dict[str, bytes]:
    """Return the bytes of each file in a folder by the file's path within the folder."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def secret_lines(path: Path, public: str = "") -> list[str]:
    """Return the secret lines in an assignment's text source and in its bank of wrong answers.

    A line is secret if it has at least `LONG` characters and occurs neither in the cells that
    students see, nor in the library or the book, nor in `public`.

    Parameters
    ----------
    path
        The text source of the assignment.
    public
        Another text that students may see, whose lines are not secret.
    """
    from dpteach.grading.author.source import read_source

    shown, hidden = [public], []
    for cell in read_source(path).cells:
        visible = cell.cell_type == "markdown" or cell.kind in ("given", "solution", "manual")
        (shown if visible else hidden).append(cell.without("SOLUTION", "RUBRIC"))
        hidden += [cell.region(word)[0] for word in ("SOLUTION", "RUBRIC") if cell.holds(word)]
    for file in (ROOT / "course_src" / "mutants" / path.stem).glob("*.md"):
        hidden += [line[1:] for line in file.read_text("utf-8").split("\n") if line[:1] == "+"]
    for file in (*(ROOT / "dpteach").rglob("*.py"), *(ROOT / "book").rglob("*.md")):
        shown.append(file.read_text("utf-8"))
    seen = "\n".join(shown)
    lines = {line.strip() for text in hidden for line in text.split("\n")}
    return sorted(line for line in lines if len(line) >= LONG and line not in seen)
