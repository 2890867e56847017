"""``dpteach new TOPIC``: a small, complete assignment from which an author starts a new one.

It has a function that is checked, a question that a person grades, and a bank of one right and two
wrong answers. The author replaces these step by step, and can build and grade after each step.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.command import add_course, refusal
from dpteach.grading.core.harmless import TEXT_CHARACTERS
from dpteach.grading.core.names import assignment_name
from dpteach.grading.course.folder import CourseError, course_folder

_, _n = catalog("author")

_TEXT: Final = '''---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# TITLE

What this assignment is about, and which chapter of the book it goes with.

{{passage how_it_works}}

**What counts.** There are {{points}} points, {{points why_clipped}} of them for a question that a
person grades. Only the rules in this list and in the docstrings decide about points:

- An item earns all of its points or none, over the visible and the hidden cases.
- {{passage limits}}

```{code-cell} ipython3
:kind: given
:name: imports

import math
```

## 1. A sum with bounded sensitivity

Clip each value to the range from 0 to `bound`, then add the clipped values.

```{code-cell} ipython3
:kind: solution
:name: clipped_sum

def clipped_sum(values, bound):
    """Return the sum of the values, each clipped to [0, bound].

    values: a list of numbers, which may be empty. bound: a number > 0.
    Returns a float.
    """
    ### BEGIN SOLUTION
    return math.fsum(min(max(value, 0.0), bound) for value in values)
    ### END SOLUTION
```

```{code-cell} ipython3
:kind: reference

import math


def clipped(values, bound):
    return math.fsum(min(max(value, 0.0), bound) for value in values)


def clipped_above(values, bound):
    return math.fsum(min(value, bound) for value in values)


def clipped_at_the_end(values, bound):
    return min(max(math.fsum(values), 0.0), bound)
```

```{code-cell} ipython3
:kind: check

Check(
    name="clipped_values",
    points=2,
    call="clipped_sum",
    expected=clipped,
    compare=Relative(1e-9, absolute=1e-12),
    visible=[
        Case([-1.0, 0.5, 3.0, 1.0], 2.0),
        Case([], 1.0, words="no values"),
    ],
    hidden=[
        Fresh(lambda rng: Case(rng.uniform(0, 9, 6).tolist(), 5.0), words="values above the bound"),
        Fresh(lambda rng: Case(rng.uniform(-9, 9, 6).tolist(), 5.0), words="values below 0",
              count=2),
    ],
    mistakes=[
        Mistake(clipped_above, "You left values below 0 unchanged, so one value can lower the sum "
                               "by any amount."),
        Mistake(clipped_at_the_end, "You clipped the sum, and not each value before it is added."),
    ],
)
```

A person grades this question, and sees at most CHARACTERS characters of a text cell.

+++ {"kind": "manual", "name": "why_clipped", "points": 2}

### Question: why clip each value, and not the sum?

Suppose that one person with any value is added to the data. By how much can `clipped_sum` change?
Why would it be useless to clip only the sum?

### BEGIN RUBRIC
- Half: by at most `bound`, because the added value counts as a number between 0 and `bound`.
- Half: a sum that is clipped at the end is at most `bound` for any data, so it contains almost no
  information.
### END RUBRIC

### BEGIN SOLUTION
By at most `bound`: the person's value is clipped to $[0, \\text{bound}]$, and all other values stay
as they are. A sum that is clipped at the end changes by at most `bound`, too, but with many people
it always equals `bound`, so it contains no information about them.
### END SOLUTION
'''

_BANK: Final = """# Answers to `clipped_sum`

## clipped_above (clipped_values: 0)
Values below 0 are not clipped.
```diff
-    return math.fsum(min(max(value, 0.0), bound) for value in values)
+    return math.fsum(min(value, bound) for value in values)
```

## clipped_at_the_end (clipped_values: 0)
The sum is clipped instead of the values.
```diff
-    return math.fsum(min(max(value, 0.0), bound) for value in values)
+    return min(max(math.fsum(values), 0.0), bound)
```

## right_by_arrays
Right: with numpy.
```python
import numpy as np


def clipped_sum(values, bound):
    return float(np.clip(values, 0.0, bound).sum())
```
"""


def new_assignment(course: str | Path, topic: str) -> list[Path]:
    """Write the text source and the bank of answers of a small assignment.

    Parameters
    ----------
    topic
        The name of the assignment: letters a to z, digits and _, beginning with a letter.

    Returns
    -------
    list of Path
        The files that were written.

    Raises
    ------
    CourseError
        If the folder is not a course, `topic` is not a valid name, or the assignment exists.
    """
    root = course_folder(course)
    try:
        assignment_name(topic)
    except ValueError as error:
        raise CourseError(f"TOPIC: {error}") from None
    bank = root / "mutants" / topic
    files = {root / "assignments" / f"{topic}.md": _TEXT, bank / "clipped_sum.md": _BANK}
    for path in (root / "assignments" / f"{topic}.md", bank):
        if path.exists():
            raise CourseError(
                _("the assignment {topic!r} exists already: {path}", topic=topic, path=path)
            )
    title = topic.replace("_", " ").capitalize()
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = text.replace("TITLE", title).replace("CHARACTERS", f"{TEXT_CHARACTERS:,}")
        path.write_text(whole, encoding="utf-8")
    return list(files)


def add_parser(commands: Any) -> None:
    """Add the command ``dpteach new`` to the parser of ``dpteach``."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "new", help=_("begin an assignment with a small one that builds and grades")
    )
    parser.add_argument(
        "topic", metavar="TOPIC", help=_("the name of the assignment, such as renyi_dp")
    )
    add_course(parser)


def run(told: argparse.Namespace) -> int:
    """Run ``dpteach new``; return its exit code."""
    try:
        for path in new_assignment(told.course, told.topic):
            print(path)
    except (CourseError, OSError) as error:
        return refusal("new", error)
    print(
        _(
            "Edit these files, then build the assignment: dpteach assignments {topic}",
            topic=told.topic,
        )
    )
    return 0
