"""Short forms: which cells are in one, what the build refuses, and those of all assignments."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import small_course
from exams import SOURCES
from small_course import HALF, HEADER, NAME, WHY

from dpteach.grading.author.build import build_source
from dpteach.grading.author.notebook import items, notebook_text
from dpteach.grading.author.passages import PASSAGES
from dpteach.grading.author.proof import read_checks
from dpteach.grading.author.short import MarkError, marked
from dpteach.grading.author.source import SourceError, read_source

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

#: kinds of checks that ask for judgement: to find, break, mend, design, test, or work out by hand
JUDGED = ("Witness", "Attack", "Repair", "Design", "Tests", "Hand", "Audit")

TWO = '''{{if half_values}}And the half.{{else}}Nothing else.{{end}}

```{code-cell} ipython3
:kind: solution
:name: quarter

def quarter(x):
    """A quarter of x."""
    ### BEGIN SOLUTION
    return x / 2 / 2
    ### END SOLUTION
```
'''


def check(name: str, call: str, factor: float, **more: str) -> str:
    told = {"points": "2", "book": '""', "expected": f"lambda x: {factor} * x"} | more
    options = ", ".join(f"{key}={value}" for key, value in told.items())
    return (
        "\n```{code-cell} ipython3\n:kind: check\n\n"
        f'Check(name="{name}", call="{call}", visible=[Case(1.5), Case(-2.25)], {options})\n```\n\n'
    )


def given(name: str, body: str) -> str:
    return f"```{{code-cell}} ipython3\n:kind: given\n:name: {name}\n\n{body}\n```\n\n"


TEXT = (
    "# Small\n\nThere are {{points}} points.{{if double_values}} Double.{{end}}\n\n"
    "## 1. Twice\n\nRead this.\n\n"
    + given("helpers", "def helped(x):\n    return x")
    + given("own", "def own_helper(x):\n    return helped(x)")
    + small_course.DOUBLE
    + check("double_values", "double", 2.0)
    + "## 2. Less\n\n{{if half_values}}First the half.{{end}} A part.\n\n"
    + HALF
    + check("half_values", "half", 0.5)
    + TWO
    + check("quarter_values", "quarter", 0.25)
    + "Last of all, why.\n\n"
    + WHY
    + "\n+++\n\nThe end.\n"
)


def written(folder: Path, chosen: str, text: str = TEXT) -> Path:
    path = folder / "assignments" / f"{NAME}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    header = HEADER.replace("---\n", f"---\nshort: [{chosen}]\n", 1)
    path.write_text(header + text, "utf-8")
    return path


def told(path: Path, short: bool) -> str:
    return "\n".join(cell.source for cell in read_source(path, optional=not short).cells)


def refused(path: Path) -> str:
    """What the build says of the short form, though the whole one is built."""
    with pytest.raises(SourceError) as caught:
        build_source(path, path.parent / "built")
    return str(caught.value)


def test_marks() -> None:
    text = "A{{if a}} of a{{end}}{{if a b}}, one{{else}}, none{{end}}{{if whole}}!{{end}}"
    assert marked(text, {"a", "b", "whole"}, {"a", "b"}) == "A of a, one!"
    assert marked(text, {"b", "short"}, {"a", "b"}) == "A, one"
    assert marked(text, {"c", "short"}, {"a", "b", "c"}) == "A, none"
    assert marked("{{if a}}x{{end}}\n\n\n\ny\n", {"short"}, {"a"}) == "y", "no empty lines are left"
    assert marked("x\n\n\n\ny\n", {"short"}, {"a"}) == "x\n\n\n\ny\n", "a text without marks stays"
    for wrong, words in (
        ("{{if c}}x{{end}}", "there is no item 'c'"),
        ("{{if a}}x", "without its {{end}}"),
        ("x{{end}}", "is not expected"),
        ("{{else}}x{{end}}", "is not expected"),
        ("{{if a}}{{if b}}x{{end}}", "is not expected"),
        ("{{if a}}x{{else}}y{{else}}z{{end}}", "is not expected"),
    ):
        with pytest.raises(MarkError, match=words):
            marked(wrong, {"a"}, {"a", "b"})


def test_what_belongs_to_an_item_goes_with_it(tmp_path: Path) -> None:
    path = written(tmp_path, "quarter_values, why")
    whole, text = told(path, False), told(path, True)
    assert "Double." in whole and "First the half. A part." in whole and "And the half." in whole
    assert "{{if" not in whole + text
    for words in ("Twice", "Read this", "helped", "own_helper", "Double", "half", "double"):
        assert words not in text, words
    for words in ("# Small", "## 2. Less\n\n A part.", "Nothing else.", "def quarter"):
        assert words in text, words
    assert "Last of all, why." in text and "Why?" in text and "The end." in text
    source = read_source(path, optional=False)
    assert dict(items(source, read_checks(source))) == {"quarter_values": 2.0, "why": 3.0}
    assert source.short == ("quarter_values", "why") == read_source(path, optional=True).short
    # a section whose last item stays keeps its number, and one that is left out is whole
    path = written(tmp_path, "double_values, why", TEXT.replace("A part.{{", "{{"))
    assert "## 1. Twice" in told(path, True) and "## 2. Less" in told(path, True)
    # given code stays as long as something uses it
    used = TEXT.replace("return x / 2 / 2", "return own_helper(x) / 4")
    assert "def helped" in told(written(tmp_path, "quarter_values", used), True)
    used = TEXT.replace("def helped", "import math\n\ndef helped").replace("x / 2 / 2", "math.e")
    assert "def helped" in told(written(tmp_path, "quarter_values", used), True)
    local = TEXT.replace("return x / 2 / 2", "helped = x\n    return helped / 4")
    assert "def helped" not in told(written(tmp_path, "quarter_values", local), True)


def test_a_solution_stays_with_the_last_of_its_checks(tmp_path: Path) -> None:
    text = TEXT.replace("## 2. Less", "Again.\n" + check("again", "double", 2.0) + "## 2. Less")
    source = read_source(written(tmp_path, "again, why", text), optional=False)
    assert [cell.name for cell in source.of_kind("solution")] == ["double"]
    assert dict(items(source, read_checks(source))) == {"again": 2.0, "why": 3.0}


@pytest.mark.parametrize(
    ("chosen", "changes", "words"),
    [
        ("why", ("Why?", "Why `half`?"), r"small\.md:\d+ \(cell 'why'\): 'half' is not in the"),
        ("why", ("Why?", "See half_values."), "'half_values' is not in the short form"),
        ("why", ("Why?", "{{points half_values}} points less?"), "'half_values' is not in"),
        ("why", ("The end.", "As in part 1."), "part 1 is not in the short form"),
        ("why", ("The end.", "In sections 2 and 1."), "sections 2 and 1 is not in the short form"),
        (
            "why",
            ("## 1. Twice", "Twice"),
            r"small\.md:\d+: where there is.* all items stand in sections",
        ),
        ("why", ("Last of all, why.", "First: `own_helper`."), "'own_helper' is not in the"),
        ("quarter_values", ("x / 2 / 2", "half(x) / 2"), "'half' is not in the short form"),
        ("quarter_values", ("A quarter of x.", "Half of `half`."), "'half' is not in the short"),
        (
            "quarter_values",
            ("0.25 * x", '0.25 * x, builds_on=["half_values"]'),
            "'half_values' is not in the short form",
        ),
        (
            "quarter_values",
            ("0.25 * x", '0.25 * x, mistakes=[Mistake(lambda x: x / 2, "That is `half`.")]'),
            "'half' is not in the short form",
        ),
        ("quarter_values", ("{{if half_values}}First the half.{{end}} ", ""), "the first item of"),
        ("nothing", ("", ""), r"small\.md:2: short: there is no item 'nothing'; there are: dou"),
        ("half, why", ("", ""), "there is no item 'half'"),
        ("1, why", ("", ""), "short: must be a list of items"),
        ("why", ("{{if double_values}}", "{{if double}}"), "{{if double}}: there is no item"),
    ],
)
def test_what_is_left_out_is_used_and_named_nowhere(
    chosen: str, changes: tuple[str, str], words: str, tmp_path: Path
) -> None:
    assert changes[0] in TEXT
    assert re.search(words, refused(written(tmp_path, chosen, TEXT.replace(*changes, 1))))


# those of the course


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for one in value.items() for part in one for text in strings(part))
    elif isinstance(value, (list, tuple)):
        yield from (text for one in value for text in strings(one))


OLD = [path for path in SOURCES if "\nshort: [" in path.read_text("utf-8")]
of_each = pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)


@of_each
def test_a_short_form_is_short_and_whole(path: Path) -> None:
    whole, source = read_source(path, optional=True), read_source(path, optional=False)
    checks = read_checks(source)
    points = dict(items(source, checks))
    assert tuple(points) == tuple(name for name in points if name in source.short)
    assert set(points) == set(source.short) and 6 <= len(points) < len(
        dict(items(whole, read_checks(whole)))
    )
    judged = sum(one.points for one in checks.values() if type(one).__name__.startswith(JUDGED))
    assert judged >= sum(points.values()) / 3
    assert len(source.of_kind("manual")) == len(whole.of_kind("manual")) == 1
    # what is left out is nowhere in what students read
    left = set(dict(items(whole, read_checks(whole)))) - set(points)
    solutions = (cell for cell in whole.of_kind("solution") if cell not in source.cells)
    names = {cell.name for cell in source.of_kind("solution")}
    left |= {f for cell in solutions if cell.name not in names for f in cell.functions()}
    texts = [*strings(json.loads(notebook_text(source, checks, "")))]
    for one in checks.values():
        texts += [mistake.message for mistake in getattr(one, "mistakes", ())]
        texts += [*one.builds_on, *(getattr(case, "words", "") or "" for case in one.visible)]
    assert sum(PASSAGES["short_form"] in text for text in texts) == 1
    for name in sorted(left):
        word = re.compile(rf"\b{name}\b" if "_" in name else rf"`{name}`")
        assert not [text for text in texts if word.search(text)], name


@of_each
def test_the_whole_form_has_no_trace_of_the_short_one(path: Path, tmp_path: Path) -> None:
    text = path.read_text("utf-8")
    header, _, rest = text.partition("\n---\n")
    header = re.sub(r"(?s)\nshort: \[.*?\]", "", header)
    assert "short" not in header and "{{if" in rest
    rest = re.sub(r"\{\{else\}\}(.*?)\{\{end\}\}", "", rest, flags=re.DOTALL)
    rest = re.sub(r"\{\{(if [a-z_0-9 ]+|end)\}\}", "", rest)
    if (data := path.with_suffix("")).is_dir():
        shutil.copytree(data, tmp_path / path.stem)
    (tmp_path / path.name).write_text(f"{header}\n---\n{rest}", "utf-8")
    whole, plain = read_source(path, optional=True), read_source(tmp_path / path.name)
    assert [cell.source for cell in whole.cells] == [cell.source for cell in plain.cells]
    assert [cell.template for cell in whole.cells] == [cell.template for cell in plain.cells]
