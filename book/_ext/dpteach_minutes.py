"""The directive for the box under a chapter's title, and the reading times in the box::

    :::{in-this-chapter}
    - state sequential and advanced composition, and say which bounds are tight;
    - compute the privacy cost of $k$ releases.

    You need [](pure_dp.md) and [](approx_dp.md).

    **To the theorems:** {prf:ref}`sequential <thm-sequential>` composition.
    :::

The build adds a title and the minutes. On a narrow screen the goals are folded, without scripts.

The times are not measured: `minutes` estimates them from the words and questions of the page's
source. The role ``{reading-time}`` prints a number, and the text of the role says which one:
``range`` prints the least and the greatest number of minutes for a chapter with its questions,
``hours`` prints the time for the whole book with and without the questions, and ``chapters`` prints
the number of chapters. The texts ``words``, ``formula``, ``question`` and ``rounding`` print the
constants of the estimate, such as `WORDS_PER_MINUTE` for ``words``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).parents[2]

#: the constants of the estimated reading time, which `book/notation.md` explains
WORDS_PER_MINUTE = 130
WORDS_PER_FORMULA = 3
MINUTES_PER_QUESTION = 2
ROUNDING = 5

#: matches the directives whose content counts in the estimated reading time
TEXT = re.compile(r"\{(prf:\w+|admonition|note|tip|hint|warning|important)\}")
#: matches the section of exercises, whose words and questions are not part of the reading time
EXERCISES = re.compile(r"^## Exercises\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"(`{3,}|:{3,})(.*)")
#: matches the beginning of a question: the directive, or a call of `explore`, which draws an
#: interactive figure with a question
QUESTION = re.compile(r"^(?:`{3,}\{question\}|explore\()", re.MULTILINE)
BOX = "in-this-chapter"
#: the class of the paragraph that lists a chapter's prerequisites, by which `dpteach_map` finds it
NEEDS = "chapter-needs"
GOALS = "In this chapter you will learn to"
ESTIMATED = "estimated, not timed"


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive(BOX, InThisChapter)
    app.add_role("reading-time", reading_time)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


# --- the estimated reading time --------------------------------------------------------------


@dataclass(frozen=True)
class Minutes:
    """The estimated minutes for a page, with and without its questions, in multiples of five."""

    with_questions: int
    without: int

    def __str__(self) -> str:
        return f"About {self.with_questions} minutes with the questions, {self.without} without"


def running_text(source: str) -> Iterator[str]:
    """Yield the lines of a page whose words count in the estimated reading time.

    Code, tables, folded parts, questions, exercises and the box below the chapter's title do not
    count.
    """
    body = source.split("\n---\n", 1)[-1] if source.startswith("---\n") else source
    fences: list[str] = []
    counted: list[bool] = []
    for line in EXERCISES.sub("", body).split("\n"):
        fence = FENCE.fullmatch(line)
        if fence and fences and not fence[2].strip() and fence[1].startswith(fences[-1]):
            fences.pop()
            counted.pop()
        elif fence:
            fences.append(fence[1])
            counted.append(bool(TEXT.match(fence[2])))
        elif all(counted) and not re.match(r"\||:\w+:|\([\w-]+\)=$", line):
            yield line


def words(source: str) -> int:
    """Count the words of a page for the reading time; a formula counts as several words."""
    text = "\n".join(running_text(source))
    formulas = r"\$\$.*?\$\$|\$[^$]+\$"
    text, count = re.subn(formulas, " ", text, flags=re.DOTALL)
    # keep only the visible text of links and references, without their targets
    text = re.sub(r"\{[\w:-]+\}`([^`<]*)(?:<[^>`]*>)?`", r"\1", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    return len(re.findall(r"\S*\w\S*", text)) + WORDS_PER_FORMULA * count


def questions(source: str) -> int:
    """Return the number of questions on a page, not counting its section of exercises."""
    return len(QUESTION.findall(EXERCISES.sub("", source)))


def rounded(minutes: float) -> int:
    return max(ROUNDING, ROUNDING * round(minutes / ROUNDING))


def minutes(source: str) -> Minutes:
    """Return the estimated reading time of a page, given the page's source."""
    reading = words(source) / WORDS_PER_MINUTE
    asked = MINUTES_PER_QUESTION * questions(source)
    return Minutes(rounded(reading + asked), rounded(reading))


def chapters() -> list[Path]:
    """Return the sources of the numbered chapters in the order of the table of contents."""
    # the Makefile sets this variable for a course that has its own table of contents
    toc = os.environ.get("DPTEACH_TOC") or ROOT / "_toc.yml"
    contents = yaml.safe_load(Path(toc).read_text("utf-8"))
    parts = (part for part in contents["parts"] if part.get("numbered"))
    return [ROOT / f"{each['file']}.md" for part in parts for each in part["chapters"]]


def book_hours() -> tuple[int, int]:
    """Return the estimated hours for reading all chapters, with and without the questions."""
    found = [minutes(path.read_text("utf-8")) for path in chapters()]
    with_questions = sum(each.with_questions for each in found)
    return round(with_questions / 60), round(sum(each.without for each in found) / 60)


def told(what: str) -> str:
    """Return the text that the role ``{reading-time}`` prints for a name such as "hours"."""
    if what == "hours":
        return "about {} hours with the questions, {} without".format(*book_hours())
    if what == "range":
        found = [minutes(path.read_text("utf-8")).with_questions for path in chapters()]
        return f"{min(found)} to {max(found)}"
    return str(
        {
            "chapters": len(chapters()),
            "words": WORDS_PER_MINUTE,
            "formula": WORDS_PER_FORMULA,
            "question": MINUTES_PER_QUESTION,
            "rounding": ROUNDING,
        }[what]
    )


def reading_time(
    name: str, rawtext: str, text: str, lineno: int, inliner: Any, *more: Any, **options: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Return a node with the text for the role ``{reading-time}``, or an error for an unknown name.

    The role contains the name of its text, such as "hours" for the hours that the book takes.
    """
    try:
        return [nodes.Text(told(text))], []
    except KeyError:
        message = inliner.reporter.error(f"reading-time: unknown name {text!r}", line=lineno)
        return [inliner.problematic(rawtext, rawtext, message)], [message]


# --- the box below a chapter's title ---------------------------------------------------------


class InThisChapter(SphinxDirective):
    """A directive that makes the box below a chapter's title.

    The box contains the chapter's goals, estimated reading time and prerequisites, and links to the
    theorems.
    """

    has_content = True
    option_spec: ClassVar = {}

    def run(self) -> list[nodes.Node]:
        body = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, body)
        kinds = [type(child) for child in body]
        if kinds != [nodes.bullet_list, nodes.paragraph, nodes.paragraph]:
            raise self.error(
                f"{BOX}: write the list of goals, then a paragraph with what the reader "
                "needs, then one with links to the theorems"
            )
        goals, needed, links = body.children
        needed["classes"].append(NEEDS)
        estimate = minutes(Path(self.env.doc2path(self.env.docname)).read_text("utf-8"))
        how, messages = self.state.inline_text(f"{{ref}}`{ESTIMATED} <reading-times>`", self.lineno)
        needed.insert(0, [nodes.Text(f"{estimate} ("), *how, nodes.Text("). ")])
        # the box has two titles: narrow screens show the foldable one, and wide screens the other.
        # The list of goals follows the foldable title instead of being its content, so that wide
        # screens always show the list
        fold = f"<details><summary>{GOALS} …</summary></details>\n"
        return [
            nodes.admonition(
                "",
                nodes.title("", GOALS),
                nodes.raw("", fold, format="html"),
                goals,
                needed,
                links,
                classes=[BOX],
            ),
            *messages,
        ]
