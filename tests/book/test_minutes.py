"""Tests of the box below each chapter's title: goals, minutes, prerequisites, theorem links."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

ROOT = Path(__file__).parents[2]
EXTENSIONS = ROOT / "book" / "_ext"
HTML = ROOT / "_build" / "html" / "book"
sys.path.insert(0, str(EXTENSIONS))
import dpteach_minutes  # noqa: E402

CHAPTERS = dpteach_minutes.chapters()
FIRST = CHAPTERS[0]
each_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
BOX = re.compile(r"^# .+\n\n:::\{in-this-chapter\}\n(.*?)\n:::\n", re.MULTILINE | re.DOTALL)


def box(path: Path) -> list[str]:
    """Return the goals, the prerequisites and the links in the box below a chapter's title."""
    found = BOX.search(path.read_text("utf-8"))
    assert found, "the box must stand directly under the title"
    return found[1].split("\n\n")


# --- the sources of the chapters -------------------------------------------------------------


def test_the_book_has_nineteen_chapters() -> None:
    assert len(CHAPTERS) == 19


@each_chapter
def test_the_box_has_goals_prerequisites_and_links(path: Path) -> None:
    goals, needed, links = box(path)
    said = goals.split("\n")
    assert 3 <= len(said) <= 7
    for goal in said[:-1]:
        assert re.fullmatch(r"- [a-z].*;", goal)
    assert re.fullmatch(r"- [a-z].*\.", said[-1])
    # no goal may begin with one of these verbs, because such a goal cannot be checked
    assert not re.search(r"^- (know|understand|see|learn|appreciate)\b", goals, re.MULTILINE)
    assert needed.startswith("You need ")
    assert path == FIRST or re.search(r"\[\]\(\w+\.md\)", needed)
    assert re.match(r"\*\*To the theorems?:\*\* \{", links)


@each_chapter
def test_prerequisites_come_earlier_in_the_book(path: Path) -> None:
    order = [chapter.stem for chapter in CHAPTERS]
    for needed in re.findall(r"\]\((\w+)\.md\)", box(path)[1]):
        assert order.index(needed) < order.index(path.stem)


@each_chapter
def test_the_links_lead_to_theorems_and_sections_of_the_same_page(path: Path) -> None:
    text, links = path.read_text("utf-8"), box(path)[2]
    assert "](" not in links
    statements = re.findall(r"^`{3,}\{prf:(?!proof)\w+\}.*\n:label: (\S+)", text, re.MULTILINE)
    sections = re.findall(r"^\(([\w-]+)\)=\n##", text, re.MULTILINE)
    named = re.findall(r"\{prf:ref\}`[^`<]+ <([\w-]+)>`", links)
    assert named and set(named) <= set(statements)
    others = re.findall(r"\{ref\}`[^`<]+ <([\w-]+)>`", links)
    assert set(others) <= set(sections)
    assert len(named) + len(others) == links.count("}`")


@each_chapter
def test_no_chapter_types_its_minutes(path: Path) -> None:
    assert not re.search(r"\d+ minutes with", path.read_text("utf-8"))


# --- the estimated reading time --------------------------------------------------------------

PAGE = """---
kernelspec: {name: python3}
---

# One two

:::{in-this-chapter}
- not counted.
:::

(a-label)=
Three [four](x.md) {term}`five <six>`, $x + y$.

```{code-cell} ipython3
explore(
    question="Not counted?",
)
```

```{prf:theorem} Title
:label: thm-a

Seven.
```

| not | counted |

````{dropdown} Proof
Not counted.
```python
x = 1
```
````

```{question} Not counted?
- no :: no
```

## Exercises

Not counted.

```{question} Nor this?
- no :: no
```

## Eight

$$ x $$
"""


def test_words_are_those_of_the_running_text() -> None:
    # the seven counted words are those of "One two", "Three four five", "Seven" and "Eight"
    assert dpteach_minutes.words(PAGE) == 7 + 2 * dpteach_minutes.WORDS_PER_FORMULA


def test_questions_are_directives_and_explorers() -> None:
    assert dpteach_minutes.questions(PAGE) == 2


def test_minutes_follow_the_rule_and_are_rounded() -> None:
    source = "word " * 1300 + "\n```{question} Why?\n```\n" * 6
    found = dpteach_minutes.minutes(source)
    assert (dpteach_minutes.WORDS_PER_MINUTE, dpteach_minutes.MINUTES_PER_QUESTION) == (130, 2)
    assert (found.without, found.with_questions) == (10, 20)
    assert str(found) == "About 20 minutes with the questions, 10 without"


@each_chapter
def test_a_chapter_takes_at_most_75_minutes(path: Path) -> None:
    found = dpteach_minutes.minutes(path.read_text("utf-8"))
    assert 10 <= found.without < found.with_questions <= 75


def test_the_hours_of_the_book_are_the_sum() -> None:
    found = [dpteach_minutes.minutes(path.read_text("utf-8")) for path in CHAPTERS]
    both = [each.with_questions for each in found], [each.without for each in found]
    assert dpteach_minutes.book_hours() == tuple(round(sum(each) / 60) for each in both)
    assert dpteach_minutes.told("range") == f"{min(both[0])} to {max(both[0])}"
    hours = dpteach_minutes.book_hours()
    assert dpteach_minutes.told("hours") == (
        f"about {hours[0]} hours with the questions, {hours[1]} without"
    )


# --- the built page --------------------------------------------------------------------------

CONF = f"""
import sys
sys.path.insert(0, {str(EXTENSIONS)!r})
extensions = ["myst_parser", "dpteach_minutes"]
myst_enable_extensions = ["colon_fence"]
root_doc = "one"
"""
GOOD = ":::{in-this-chapter}\n- do it.\n\nYou need [](two.md).\n\nTo {ref}`it <it>`.\n:::\n"


def build(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "conf.py").write_text(CONF)
    (folder / "one.md").write_text(f"# One\n\n{text}\n(it)=\n## It\n\n```{{toctree}}\ntwo\n```\n")
    (folder / "two.md").write_text("# Two\n\n(reading-times)=\n## Times\n\n{reading-time}`words`\n")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", str(folder), str(folder / "out")]
    return subprocess.run(command, check=False, text=True, capture_output=True)


def parsed(page: Path) -> BeautifulSoup:
    return BeautifulSoup(page.read_text("utf-8"), "html.parser")


def parts(soup: BeautifulSoup) -> list[Tag]:
    (found,) = soup.select("h1 + div.in-this-chapter")
    return list(found.find_all(True, recursive=False))


def test_the_box_is_built_with_a_fold_that_needs_no_script(tmp_path: Path) -> None:
    result = build(tmp_path, GOOD)
    assert result.returncode == 0, result.stderr
    title, fold, goals, needed, links = parts(parsed(tmp_path / "out" / "one.html"))
    assert title.get_text() == "In this chapter you will learn to"
    # the list of goals comes after the foldable element, not inside it, so that wide screens can
    # always show the list
    assert (fold.name, goals.name, fold.has_attr("open")) == ("details", "ul", False)
    assert needed.get_text() == (
        "About 5 minutes with the questions, 5 without (estimated, not timed). You need Two."
    )
    assert [link["href"] for link in needed.find_all("a")] == ["two.html#reading-times", "two.html"]
    assert links.find("a")["href"] == "#it"
    assert "<p>130</p>" in (tmp_path / "out" / "two.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GOOD.replace("You need [](two.md).\n\n", ""), "write the list of goals"),
        (GOOD.replace("- do it.\n\n", ""), "write the list of goals"),
        ("{reading-time}`weeks`\n", "unknown name 'weeks'"),
    ],
)
def test_a_box_that_is_not_complete_is_an_error(tmp_path: Path, text: str, complaint: str) -> None:
    result = build(tmp_path, text)
    assert result.returncode != 0
    assert complaint in result.stderr


def test_a_notebook_has_the_box_in_words() -> None:
    import dpteach_notebooks

    text = GOOD.replace("[](two.md)", "it")
    said = dpteach_notebooks.in_words(text, {dpteach_minutes.BOX: "About 5 minutes"})
    assert said == (
        "*About 5 minutes (estimated, not timed).*\n\n**In this chapter you will learn to**\n\n"
        "- do it.\n\nYou need it.\n\nTo it."
    )


def test_a_notebook_names_theorems_by_their_numbers_and_not_as_the_box_does() -> None:
    import dpteach_notebooks

    link = '<a class="reference internal" href="#thm-a">{}</a>'
    page = f'<div class="in-this-chapter">{link.format("by name")}</div>{link.format("Theorem 1")}'
    assert dpteach_notebooks.references(page) == {"thm-a": "Theorem 1"}


@pytest.mark.slow
@each_chapter
def test_the_built_box_states_the_rule_and_its_links_lead_to_statements(path: Path) -> None:
    soup = parsed(HTML / f"{path.stem}.html")
    _, _, _, needed, links = parts(soup)
    assert needed.get_text().startswith(f"{dpteach_minutes.minutes(path.read_text('utf-8'))} (")
    found = [str(link["href"]) for link in links.find_all("a")]
    assert found
    for address in found:
        assert address.startswith("#")
        target = soup.find(id=address[1:])
        assert isinstance(target, Tag)
        assert target.name in ("section", "span") or "proof" in target["class"]
    assert any("proof" in soup.find(id=address[1:]).get("class", []) for address in found)
