"""``dpteach new TOPIC``: a small assignment that builds and grades, to begin a new one with.

It has one item of each usual kind, a function that is checked and a question that a person grades,
and a bank of one right and some wrong answers. An author replaces one after the other.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from dpteach.grading.core.command import add_course, refusal
from dpteach.grading.core.harmless import TEXT_CHARACTERS
from dpteach.grading.core.names import assignment_name
from dpteach.grading.course.folder import CourseError, course_folder

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

**What counts.** There are {{points}} points, {{points why_clipped}} of them for a question that is
graded by a person. Nothing costs points that does not stand here or in a docstring:

- An item is worth all or nothing, over the visible and the hidden cases.
- {{passage limits}}

```{code-cell} ipython3
:kind: given
:name: imports

import math
```

## 1. A sum that no one moves far

Each value is first brought into the range from 0 to `bound`, and then all are added.

```{code-cell} ipython3
:kind: solution
:name: clipped_sum

def clipped_sum(values, bound):
    """The sum of the values, each brought into [0, bound] before.

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
        Case([], 1.0, words="nobody is there"),
    ],
    hidden=[
        Fresh(lambda rng: Case(rng.uniform(0, 9, 6).tolist(), 5.0), words="some above the bound"),
        Fresh(lambda rng: Case(rng.uniform(-9, 9, 6).tolist(), 5.0), words="some below 0",
              count=2),
    ],
    mistakes=[
        Mistake(clipped_above, "Values below 0 are left as they are: they belong to 0."),
        Mistake(clipped_at_the_end, "The sum is clipped; each value should be, before it is "
                                    "added."),
    ],
)
```

This question is graded by a person, who is shown CHARACTERS characters of a text cell at most.

+++ {"kind": "manual", "name": "why_clipped", "points": 2}

### Question: why each value, and not the sum?

One person comes into the data with any value. By how much can `clipped_sum` change, and why would
it be of no use to clip the sum instead?

### BEGIN RUBRIC
- Half: by at most `bound`, since the person's value counts between 0 and `bound`.
- Half: a sum that is clipped at the end is no larger than `bound` whatever the data are, so it says
  next to nothing.
### END RUBRIC

### BEGIN SOLUTION
By at most `bound`: the person's value is brought into $[0, \\text{bound}]$, and all others stay as
they are. A sum that is clipped at the end changes by no more, but with many people it is always
`bound`, and says nothing about them.
### END SOLUTION
'''

_BANK: Final = """# Answers to `clipped_sum`

## clipped_above (clipped_values: 0)
Values below 0 stay.
```diff
-    return math.fsum(min(max(value, 0.0), bound) for value in values)
+    return math.fsum(min(value, bound) for value in values)
```

## clipped_at_the_end (clipped_values: 0)
The sum is clipped in place of the values.
```diff
-    return math.fsum(min(max(value, 0.0), bound) for value in values)
+    return min(max(math.fsum(values), 0.0), bound)
```

## right_by_arrays
Right: by numpy.
```python
import numpy as np


def clipped_sum(values, bound):
    return float(np.clip(values, 0.0, bound).sum())
```
"""


def new_assignment(course: str | Path, topic: str) -> list[Path]:
    """Writes the text source and the bank of answers of a small assignment.

    Parameters
    ----------
    topic
        Its name everywhere: letters a to z, digits and _, a letter first.

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    CourseError
        If the folder is no course, or the topic is none or is there already.
    """
    root = course_folder(course)
    try:
        assignment_name(topic)
    except ValueError as error:
        raise CourseError(str(error).replace("assignment must", "TOPIC must", 1)) from None
    bank = root / "mutants" / topic
    files = {root / "assignments" / f"{topic}.md": _TEXT, bank / "clipped_sum.md": _BANK}
    for path in (root / "assignments" / f"{topic}.md", bank):
        if path.exists():
            raise CourseError(f"there is an assignment {topic!r} already: {path}")
    title = topic.replace("_", " ").capitalize()
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = text.replace("TITLE", title).replace("CHARACTERS", f"{TEXT_CHARACTERS:,}")
        path.write_text(whole, encoding="utf-8")
    return list(files)


def add_parser(commands: Any) -> None:
    """Adds the command to the parser of ``dpteach``."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "new", help="begin an assignment with a small one that builds and grades"
    )
    parser.add_argument("topic", metavar="TOPIC", help="its name, such as renyi_dp")
    add_course(parser)


def run(told: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    try:
        for path in new_assignment(told.course, told.topic):
            print(path)
    except (CourseError, OSError) as error:
        return refusal("new", error)
    print(f"Edit these, and build with: dpteach assignments {told.topic}")
    return 0
