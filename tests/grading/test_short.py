"""Short forms: which cells are in one, what the build refuses, and those of all assignments."""

from __future__ import annotations

import ast
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import nbformat
import pytest
import small_course
from exams import PROJECT, SEED, SOURCES, SWITCH, course_of
from in_process import InProcess
from small_course import HALF, HEADER, NAME, WHY, make_course

from dpteach import cli
from dpteach.grading.author.build import build_assignments, build_source
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.mutants import submission
from dpteach.grading.author.notebook import items, notebook_text
from dpteach.grading.author.passages import PASSAGES
from dpteach.grading.author.proof import read_checks
from dpteach.grading.author.short import MarkError, marked
from dpteach.grading.author.source import SourceError, read_source
from dpteach.grading.classroom.session import grade_submission
from dpteach.grading.core.result import Result
from dpteach.grading.course.folder import CourseError, course_api
from dpteach.grading.course.gradebook import Book
from dpteach.grading.sandbox.limits import Limits

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
    return "\n".join(cell.source for cell in read_source(path, short=short).cells)


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
    source = read_source(path, short=True)
    assert dict(items(source, read_checks(source))) == {"quarter_values": 2.0, "why": 3.0}
    assert source.short == ("quarter_values", "why") == read_source(path, short=False).short
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
    source = read_source(written(tmp_path, "again, why", text), short=True)
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


def test_a_form_that_nobody_declared(tmp_path: Path) -> None:
    """True means all that have a short form, a list those that it names."""
    path = written(tmp_path, "why")
    path.write_text(HEADER + TEXT, "utf-8")
    with pytest.raises(SourceError, match="it has no short form: name the items"):
        read_source(path, short=True)
    assert read_source(path).short == ()
    for told in ("True", f'["{NAME}"]', '["another"]', "False"):
        (tmp_path / "nbgrader_config.py").write_text(f"c.Assignments.short = {told}\n", "utf-8")
        if NAME in told:
            with pytest.raises(SourceError, match="it has no short form: name the items"):
                read_source(path)
        else:
            assert not read_source(path).is_short


@pytest.mark.slow
def test_one_switch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From the release to the grade; what was built before is built anew."""
    course = make_course(tmp_path / "course")
    path = written(course, "double_values, why", TEXT.replace("A part.", ""))
    settings = course / "nbgrader_config.py"
    before = settings.read_text("utf-8")
    assert before.count(SWITCH) == 1
    said = {}
    for told in ("False", "True", f'["{NAME}"]', '["another"]'):
        settings.write_text(before.replace(SWITCH, f"c.Assignments.short = {told}"), "utf-8")
        assert cli.main(["assignments", "--course", str(course)]) == 0
        said[told] = capsys.readouterr().out.strip().split("\n")[-1]
        form = {item.name for item in make_exam(path, 1).items}
        notebook = (course / "release" / NAME / f"{NAME}.ipynb").read_text("utf-8")
        assert ("half" in notebook) == ("half_values" in form)
        sidecar = json.loads((course / "release" / NAME / "checks.json").read_text("utf-8"))
        assert set(sidecar["checks"]) == form - {"why"}
    assert said["False"] == said['["another"]'] == f"{NAME}: 4 graded items, 9 points"
    assert said["True"] == said[f'["{NAME}"]'] == f"{NAME}: 2 graded items, 5 points, short form"
    # when somebody has handed in, it stays as it is
    with Book(course_api(course), NAME) as book:
        book.book.update_or_create_student("ada")
        book.book.update_or_create_submission(NAME, "ada")
    settings.write_text(before.replace(SWITCH, "c.Assignments.short = True"), "utf-8")
    release = course / "release" / NAME / f"{NAME}.ipynb"
    released = release.read_bytes()
    assert cli.main(["assignments", "--course", str(course)]) == 2
    said_now = capsys.readouterr().err
    assert "handed in 4 graded items, and now there are 2" in said_now
    assert "c.Assignments.short" in said_now and release.read_bytes() == released
    settings.write_text(before.replace(SWITCH, "c.Assignments.short = False"), "utf-8")
    assert cli.main(["assignments", "--course", str(course)]) == 0
    settings.write_text(before.replace(SWITCH, "c.Assignments.short = 1"), "utf-8")
    for command in (lambda: build_assignments(course), lambda: make_exam(path, 1)):
        with pytest.raises(CourseError, match=r"c\.Assignments\.short in nbgrader_config\.py must"):
            command()


# those of the course


def minutes() -> dict[str, dict[str, int]]:
    """Of each assignment the minutes of its items, as the book's page tells them."""
    page = (PROJECT / "book" / "assignments.md").read_text("utf-8")
    found = {}
    for topic, table in re.findall(r'(?s)\nassignment\(\n    "(\w+)",\n(.*?)\n\)\n', page):
        rows = re.findall(r'(?m)^ +"(\w+)": \(".*", (\d+)\),$', table)
        found[topic] = {name: int(number) for name, number in rows}
    return found


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course that gives the short forms."""
    return course_of(tmp_path_factory.mktemp("short"), "True")


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for one in value.items() for part in one for text in strings(part))
    elif isinstance(value, (list, tuple)):
        yield from (text for one in value for text in strings(one))


of_each = pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)


@of_each
def test_a_short_form_is_short_and_whole(path: Path) -> None:
    whole, source = read_source(path, short=False), read_source(path, short=True)
    checks = read_checks(source)
    points = dict(items(source, checks))
    assert tuple(points) == tuple(name for name in points if name in source.short)
    assert set(points) == set(source.short) and 6 <= len(points) < len(minutes()[path.stem])
    # the book's page tells of each item what it is for and how long it takes
    assert set(minutes()[path.stem]) == set(dict(items(whole, read_checks(whole))))
    assert 5 + sum(minutes()[path.stem][name] for name in points) <= 180
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


def test_the_time_that_is_told_is_that_of_the_page_on_assignments() -> None:
    page = (small_course.ROOT / "book" / "assignments.md").read_text("utf-8")
    tables = re.findall(r'\nassignment\(\s*"(\w+)",\s*(\{.*?\n    \})', page, re.S)
    about = {topic: ast.literal_eval(table) for topic, table in tables}
    assert set(about) == {path.stem for path in SOURCES}
    for path in SOURCES:
        for short in (True, False):
            source = read_source(path, short=short)
            form = source.short if short else about[path.stem]
            minutes = 5 + sum(about[path.stem][name][1] for name in form)
            told = f"Plan about {minutes / 60:.1f} hours for all of it."
            assert told in "\n".join(cell.source for cell in source.cells), (path.stem, told)


def test_the_short_forms_are_a_course() -> None:
    """As the instructor's guide says it of both forms."""
    sources = [read_source(path, short=False) for path in SOURCES]
    whole = sum(len(dict(items(source, read_checks(source)))) for source in sources)
    short = sum(len(source.short) for source in sources)
    guide = (PROJECT / "book" / "instructors.md").read_text("utf-8")
    assert f"Together they have {short} items;" in guide and short >= 160
    assert f"The whole assignments have {whole} items," in guide


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
    whole, plain = read_source(path, short=False), read_source(tmp_path / path.name)
    assert [cell.source for cell in whole.cells] == [cell.source for cell in plain.cells]
    assert [cell.template for cell in whole.cells] == [cell.template for cell in plain.cells]


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        path
        if path.stem in ("auditing_a_paper", "choosing", "composition", "renyi_dp")
        else pytest.param(path, marks=pytest.mark.exhaustive)
        for path in SOURCES
    ],
    ids=lambda path: path.stem,
)
def test_the_reference_answers_earn_all_points(
    path: Path, course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exam is drawn with its proof, and its own answers are handed in."""
    exam = make_exam(course / "assignments" / path.name, SEED)
    InProcess.put_in(monkeypatch)
    monkeypatch.chdir(path.with_suffix("") if path.with_suffix("").is_dir() else course)
    source = read_source(course / "assignments" / path.name)
    notebook: Any = submission(nbformat.reads(exam.notebook, 4), source, {})
    files = {path.with_suffix(".ipynb").name: nbformat.writes(notebook).encode()}
    result = Result.from_bytes(grade_submission(exam.to_bytes(), files, Limits()))
    assert [item.name for item in result.items] == [item.name for item in exam.items]
    assert {item.name for item in exam.items} == set(source.short)
    for item in result.items:
        assert item.score == (None if item.kind == "manual" else item.points), item.name
