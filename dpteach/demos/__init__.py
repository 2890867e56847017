"""Demos for the lecture hall: ten minutes each, with a moving picture and a show of hands.

A demo is one text notebook, ``course_src/demos/TOPIC_NAME.md``, whose TOPIC is the name of a
chapter. ``make slides`` makes slides and a notebook from it. Beyond ordinary Markdown and code
cells, a demo has these parts:

``# ...``, ``## ...``
    A heading begins a slide. The first slide has the title.
``:::{notes} 1.5``
    The lecturer's notes, up to ``:::`` at the end of a slide, with the minutes that the slide
    takes. Each slide has notes. The notes of the slide with the question have a paragraph that
    begins with ``**If they are split.**``, and the notes of at least one slide have a paragraph
    that begins with ``**What can go wrong.**``
``:::{question} ...``
    The one question to the audience, up to ``:::``. Each option is a line with the text on the
    slide, ``(right)`` after the correct option, the number of hands expected among 100, and the
    lecturer's reply::

        - 62 % (right) | 20 :: The odds are multiplied by 3.
``live``
    The tag of the cells that the lecturer runs before the audience: an attack whose output appears
    when the lecturer presses a key, or an explorer (an interactive figure).
``remove-input``, ``remove-cell``
    Slides show only the output of a cell with the first tag, and nothing of a cell with the second
    tag, which is for imports and asserts. Both tags mean the same in the book.
``> ...``
    On the last slide, the sentence that a student takes home.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

__all__ = ["Demo", "DemoError", "Option", "Question", "Slide", "demos", "read"]

PROJECT: Final = Path(__file__).resolve().parents[2]
#: the folder of the demo texts
FOLDER: Final = PROJECT / "course_src" / "demos"

MOST_MINUTES: Final = 10
MOST_SLIDES: Final = 10
MOST_OPTIONS: Final = 5
#: limits on the code on a slide: the number of lines that people in the last row can still read,
#: and the number of characters that fit in the width of a slide
MOST_LINES: Final = 10
MOST_COLUMNS: Final = 60

SPLIT: Final = "**If they are split.**"
WRONG: Final = "**What can go wrong.**"

_HEADING = re.compile(r"^(?=#{1,2} )", re.MULTILINE)
_PART = re.compile(
    r"^:::\{(notes|question)\}[ \t]*([^\n]*)\n(.*?)^:::[ \t]*$", re.MULTILINE | re.DOTALL
)
_OPTION = re.compile(r"- (?P<text>.+?)(?P<right> \(right\))? \| (?P<expected>\d+) :: (?P<reply>.+)")


class DemoError(ValueError):
    """An error that lists all faults of a demo, one per line."""


@dataclass(frozen=True)
class Option:
    """An answer option, with the number of hands expected among 100 and the lecturer's reply."""

    letter: str
    text: str
    right: bool
    expected: int
    reply: str


@dataclass(frozen=True)
class Question:
    """The question that a demo asks the audience, who vote by a show of hands."""

    text: str
    options: tuple[Option, ...]

    @property
    def right(self) -> Option:
        """The correct option."""
        return next(option for option in self.options if option.right)


@dataclass(frozen=True)
class Slide:
    """The heading of a slide, its duration in minutes, and its speaker notes."""

    heading: str
    minutes: float
    notes: str


@dataclass(frozen=True)
class Demo:
    """A demo, as read from its text file.

    `topic` is the name of a chapter, `home` is the sentence that students take home, and `cells`
    has the cells of all slides in order.
    """

    name: str
    topic: str
    title: str
    slides: tuple[Slide, ...]
    question: Question
    home: str
    cells: tuple[dict[str, Any], ...]

    @property
    def minutes(self) -> float:
        """The total duration of all slides in minutes."""
        return sum(slide.minutes for slide in self.slides)


def demos(folder: Path = FOLDER) -> list[Demo]:
    """Return all demos of the course in the order of the chapters."""
    found = [read(path) for path in sorted(folder.glob("*.md"))]
    order = chapters()
    return sorted(found, key=lambda demo: (order.index(demo.topic), demo.name))


def chapters(project: Path = PROJECT) -> list[str]:
    """Return the names of the book's pages, such as ``zcdp``, in reading order."""
    return re.findall(r"file: book/(\w+)$", (project / "_toc.yml").read_text("utf-8"), re.MULTILINE)


def read(path: Path) -> Demo:
    """Read a demo from its text file.

    Raises
    ------
    DemoError
        If the demo lacks one of the parts that the module's docstring names, or exceeds a limit
        such as `MOST_SLIDES`.
    """
    import jupytext

    wrong: list[str] = []
    cells: list[dict[str, Any]] = []
    for cell in jupytext.read(path, fmt="md:myst").cells:
        cells += _of_code(cell, wrong) if cell.cell_type == "code" else _of_text(cell.source, wrong)
    slides = _slides(cells, wrong)
    topic = max((c for c in chapters() if path.stem.startswith(f"{c}_")), key=len, default="")
    if not topic:
        wrong.append("its name does not begin with that of a chapter")
    questions = [cell["question"] for cell in cells if cell["kind"] == "question"]
    if len(questions) != 1:
        wrong.append(f"it has {len(questions)} questions for the hall, and not one")
    if not any(cell["live"] for cell in cells):
        wrong.append("no cell has the tag live: what is run or pushed before everybody?")
    last = [cell["source"] for cell in cells if cell["slide"] == len(slides) - 1]
    home = re.findall(r"(?:^> .*\n?)+", "\n\n".join(last), re.MULTILINE)
    if len(home) != 1:
        wrong.append("its last slide has no sentence to take home, or several: `> ...`")
    minutes = sum(slide.minutes for slide in slides)
    if not 0 < minutes <= MOST_MINUTES:
        wrong.append(f"it takes {minutes:g} minutes, and has {MOST_MINUTES}")
    if len(slides) > MOST_SLIDES:
        wrong.append(f"it has {len(slides)} slides, and may have {MOST_SLIDES}")
    if not any(WRONG in slide.notes for slide in slides):
        wrong.append(f"no notes tell {WRONG}")
    if wrong:
        raise DemoError("\n".join(f"{path.name}: {line}" for line in wrong))
    return Demo(
        name=path.stem,
        topic=topic,
        title=slides[0].heading,
        slides=tuple(slides),
        question=questions[0],
        home=" ".join(home[0].replace("\n> ", " ").removeprefix("> ").split()),
        cells=tuple(cells),
    )


def _cell(kind: str, source: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "source": source, "live": False} | more


def _of_code(cell: Any, wrong: list[str]) -> list[dict[str, Any]]:
    """Return a list that holds one code cell as a dictionary; append the cell's faults to `wrong`.

    The kind of the cell is "code", "output" if slides show only its output, or "hidden".
    """
    tags = set(cell.metadata.get("tags", ()))
    for tag in sorted(tags - {"live", "remove-input", "remove-cell", "nbval-ignore-output"}):
        wrong.append(f"the tag {tag} has no meaning in a demo")
    kind = "hidden" if "remove-cell" in tags else "output" if "remove-input" in tags else "code"
    lines = cell.source.splitlines()
    if kind == "code" and (
        len(lines) > MOST_LINES or any(len(line) > MOST_COLUMNS for line in lines)
    ):
        wrong.append(
            f"the cell {lines[0]!r} has more than {MOST_LINES} lines, or one of more than "
            f"{MOST_COLUMNS} characters"
        )
    return [_cell(kind, cell.source, live="live" in tags)]


def _of_text(text: str, wrong: list[str]) -> list[dict[str, Any]]:
    """Split a text cell into cells for text, notes and questions; append faults to `wrong`.

    A heading begins a new cell.
    """
    cells = []
    for part in _HEADING.split(text):
        end = 0
        for match in _PART.finditer(part):
            cells.append(_cell("text", part[end : match.start()].strip()))
            kind, head, body = match.groups()
            if kind == "question":
                cells.append(_cell(kind, "", question=_question(head, body, wrong)))
            else:
                cells.append(_cell(kind, body.strip(), minutes=_minutes(head, wrong)))
            end = match.end()
        cells.append(_cell("text", part[end:].strip()))
    for cell in cells:
        if re.search(r"^:::", cell["source"], re.MULTILINE):
            wrong.append(f"a part with ::: is not whole, near {cell['source'][:40]!r}")
    return [cell for cell in cells if cell["source"] or cell["kind"] == "question"]


def _minutes(words: str, wrong: list[str]) -> float:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(?: minutes?)?", words.strip())
    if not found:
        wrong.append(f"notes need their minutes, as in `:::{{notes}} 1.5`, got {words!r}")
        return 0.0
    return float(found[1])


def _question(head: str, body: str, wrong: list[str]) -> Question:
    lines = re.sub(r"\n[ \t]+", " ", body.strip()).splitlines()
    options = []
    for letter, line in zip("ABCDEFGHIJ", lines, strict=False):
        found = _OPTION.fullmatch(line.strip())
        if not found:
            wrong.append(f"an option is `- what (right) | of a hundred :: reply`, got {line!r}")
            continue
        options.append(
            Option(
                letter, found["text"], bool(found["right"]), int(found["expected"]), found["reply"]
            )
        )
    if sum(option.right for option in options) != 1:
        wrong.append("the question needs one option that is (right)")
    if not 2 <= len(options) <= MOST_OPTIONS:
        wrong.append(f"the question needs 2 to {MOST_OPTIONS} options, got {len(options)}")
    if sum(option.expected for option in options) != 100:
        wrong.append("the hands that are expected do not add up to 100")
    return Question(head.strip(), tuple(options))


def _slides(cells: list[dict[str, Any]], wrong: list[str]) -> list[Slide]:
    """Return the slides of a list of cells, and store in each cell the number of its slide."""
    headings: list[str] = []
    notes: list[list[dict[str, Any]]] = []
    asked = set()
    for cell in cells:
        begins = re.match(r"#{1,2} (.*)", cell["source"]) if cell["kind"] == "text" else None
        if begins:
            headings.append(begins[1].strip())
            notes.append([])
        # code cells with imports may come before the first heading; they belong to the first slide
        cell["slide"] = max(len(headings) - 1, 0)
        if cell["kind"] == "notes" and headings:
            notes[-1].append(cell)
        if cell["kind"] == "question":
            asked.add(cell["slide"])
    slides = []
    for i, (heading, said) in enumerate(zip(headings, notes, strict=True)):
        words = "\n\n".join(cell["source"] for cell in said)
        if len(said) != 1:
            wrong.append(f"the slide {heading!r} has {len(said)} notes, and not one")
        if i in asked and SPLIT not in words:
            wrong.append(f"the notes of the question do not tell {SPLIT}")
        slides.append(Slide(heading, sum(cell["minutes"] for cell in said), words))
    return slides
