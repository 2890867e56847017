"""A Sphinx extension that builds the search index: sections, theorems, terms and formulas.

The index is made from the finished pages, in which theorems have numbers and formulas are MathML.
The index is written as a script, which a page can load from any host and also from a local file;
`search.js` loads it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString
from docutils import nodes
from dpteach_face import among
from sphinx.application import Sphinx

#: matches a title such as "Theorem 3.2 (composition)": a label, which Sphinx numbers, and perhaps
#: a name
NUMBERED = re.compile(r"\s*(?P<label>\w+ [\d.]+)\s*(?:\((?P<name>.*)\))?\s*", re.DOTALL)
CHAPTER = re.compile(r"(?P<number>\d+)\. ")
#: elements whose text the search ignores: code, pictures, controls, and the forms of questions
DROPPED = {"pre", "svg", "script", "style", "noscript", "form", "img", "button"}
DROPPED_CLASSES = {"headerlink", "sd-summary-title", "section-number"}
#: elements that browsers show on a line of their own, so that a space must follow their text
APART = {
    *("p", "li", "dt", "dd", "h1", "h2", "h3", "h4", "div", "td", "th", "tr", "section"),
    *("label", "output", "summary", "figcaption"),
}
#: classes of elements with less important text: outputs, documented objects of the library, and
#: the box with the goals of a chapter. The search shows such text as an excerpt only if no
#: sentence of the other text matches
REST = {"cell", "py", "in-this-chapter"}
#: further names of sections and theorems: words that readers search for, but that the section or
#: theorem does not use
NAMES = {
    "zcdp.html#converting-to": ["zCDP to (ε, δ)", "conversion of zCDP to (ε, δ)"],
    "training.html#thm-sampled-gaussian": ["subsampled Gaussian mechanism", "subsampled Gaussian"],
    "look_it_up.html#look-local": ["epsilon of randomized response", "randomized response epsilon"],
    "pure_dp.html#what-differential-privacy-does-not-guarantee": [
        "what differential privacy protects against"
    ],
}
#: the page with the table of formulas
LOOK_UP = "look_it_up"


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-read", name_rows)
    # a high priority number runs `write` after all other changes to the finished pages
    app.connect("build-finished", write, priority=950)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def name_rows(app: Sphinx, doctree: nodes.document) -> None:
    """Move the ids in the table of formulas to its rows, so that a link highlights a whole row."""
    if app.env.docname.rpartition("/")[2] != LOOK_UP:
        return
    for row in doctree.findall(nodes.row):
        for name in row.findall(nodes.inline):
            row["ids"] += name["ids"]
            name["ids"] = []


def write(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    out = Path(app.outdir)
    first = app.config.root_doc
    names = [first, *(name for name in in_order(app, first) if name != first)]
    index = Index()
    for name in dict.fromkeys(names):
        path = out / f"{name}.html"
        if path.is_file():
            index.add(f"{name}.html", path.read_text("utf-8"))
    index.tell_aliases()
    text = json.dumps(index.told(), ensure_ascii=False, separators=(",", ":"))
    (out / "_static" / "search_index.js").write_text(f"BookSearch.load({text});\n", "utf-8")


def in_order(app: Sphinx, name: str) -> Iterator[str]:
    for child in app.env.toctree_includes.get(name, ()):
        yield child
        yield from in_order(app, child)


class Index:
    """The searchable sections, theorems, terms and formulas of the book, page by page.

    Attributes
    ----------
    pages
        For each page: its address, its title, and its number if it is a chapter, otherwise "".
    places
        For each section, theorem, term, formula and other place, a dictionary with the index of its
        page in `pages`, its kind, such as "theorem", and its anchor. If the place has them, the
        dictionary also contains a label, such as "Theorem 3.2", a name, further names, the terms in
        bold type, the text, and the text of tables and outputs.
    """

    def __init__(self) -> None:
        self.pages: list[tuple[str, str, str]] = []
        self.places: list[dict[str, Any]] = []
        self._aliases: list[tuple[str, str]] = []

    def told(self) -> dict[str, Any]:
        return {"pages": self.pages, "places": self.places}

    def tell_aliases(self) -> None:
        """Add further names to the indexed places, so that a search finds them by these names.

        The names come from the table of formulas and from `NAMES`.
        """
        known = {
            f"{self.pages[place['page']][0].rpartition('/')[2]}#{place['anchor']}": place
            for place in self.places
        }
        aliases = [(target, name) for target, names in NAMES.items() for name in names]
        for target, name in self._aliases + aliases:
            if target in known:
                known[target].setdefault("names", []).append(name)

    def add(self, address: str, page: str) -> None:
        # parse only the article: to parse the tables of contents beside it as well would double the
        # time
        page = page[page.find("<article") : page.rfind("</article>")]
        article = BeautifulSoup(page, "html.parser").find("article")
        if not isinstance(article, Tag):
            return
        # remove drawings first: they are long, and contain no text to search
        for drawing in article.find_all(["svg", "script", "style"]):
            drawing.decompose()
        title = article.find("h1")
        if not isinstance(title, Tag):
            return
        kind = address.rpartition("/")[2].removesuffix(".html")
        number = CHAPTER.match(title.get_text())
        name = line(title)
        if number:
            name = name.removeprefix(number[0].strip()).strip()
        self.pages.append((address, name, number["number"] if number else ""))
        for formula in article.find_all("math"):
            formula.replace_with(linear(formula))
        for raised in article.find_all("sup"):
            raised.insert(0, "^")
        if kind == LOOK_UP:
            self._rows(article)
        for part in article.find_all(class_="question-answers"):
            part.decompose()
        for entry in among(article, "dt", "[id^='term-']"):
            self._term(entry)
        for entry in among(article, "dt", ".sig[id]"):
            self._object(entry)
        for entry in among(article, "div", ".citation[id]"):
            self._place("source", entry["id"], name=clip(line(entry), 110), text=line(entry))
            entry.decompose()
        # index theorems before sections, and inner sections before outer ones; remove each element
        # after it is indexed, so that no text is indexed twice
        for part in among(article, "div", ".proof[id], .exercise[id], .solution[id]"):
            self._statement(part)
        for section in reversed(article.find_all("section")):
            heading = section.find(["h1", "h2", "h3", "h4"], recursive=False)
            if not isinstance(heading, Tag):
                continue
            first = heading.name == "h1"
            name = line(heading)
            rest = [part.extract() for part in section.find_all(is_rest)]
            bold = [line(word) for word in section.find_all("strong")]
            heading.decompose()
            self._place(
                "page" if first else "section",
                "" if first else section.get("id", ""),
                name=self.pages[-1][1] if first else name,
                defined=told(bold),
                text=line(section),
                rest=" ".join(line(part) for part in rest if part.name),
            )
            section.decompose()

    def _place(self, kind: str, anchor: Any, **told: Any) -> None:
        place = {"page": len(self.pages) - 1, "kind": kind, "anchor": str(anchor)}
        self.places.append(place | {name: value for name, value in told.items() if value})

    def _statement(self, part: Tag) -> None:
        title = part.find(class_="admonition-title")
        words = line(title) if isinstance(title, Tag) else ""
        kind = next(kind for kind in ("exercise", "solution", "proof") if kind in part["class"])
        if kind == "solution":
            name = {"label": "Solution", "name": words.removeprefix("Solution to").strip()}
        else:
            found = NUMBERED.fullmatch(words)
            name = {"label": found["label"], "name": found["name"] or ""} if found else {}
            if kind == "proof":
                kind = next((word for word in part["class"] if word == "definition"), "theorem")
        if isinstance(title, Tag):
            title.decompose()
        bold = [line(word) for word in part.find_all("strong")]
        self._place(kind, part["id"], **name, defined=told(bold), text=line(part))
        part.decompose()

    def _rows(self, article: Tag) -> None:
        for row in among(article, "tr", "[id^='look-']"):
            cells = row.find_all("td", recursive=False)
            section = row.find_parent("section")
            heading = section.find(["h2", "h3"]) if section else None
            group = line(heading) if isinstance(heading, Tag) else ""
            first = cells[0].find("p")
            name = line(first) if isinstance(first, Tag) else ""
            # a row on group privacy is named only by a notion of privacy, such as zCDP, so put the
            # heading of the table before this name
            if str(row["id"]).endswith("-groups"):
                name = f"{group.partition(':')[0]}: {name}"
            rest = "; ".join(line(part) for part in cells[1].find_all("p"))
            self._place("formula", row["id"], label="Formula", name=name, names=[group], text=rest)
            for link in cells[0].select("a[href*='#']"):
                target = str(link["href"]).rpartition("/")[2]
                self._aliases += [(target, name), (target, f"{group}: {name}")]
            row.decompose()

    def _term(self, entry: Tag) -> None:
        # an entry without a parent is a second name of the term before it, and was removed
        # together with that term
        if entry.parent is None:
            return
        terms = [entry]
        meaning = entry.find_next_sibling()
        while isinstance(meaning, Tag) and meaning.name == "dt":
            terms.append(meaning)
            meaning = meaning.find_next_sibling()
        name, *names = map(line, terms)
        text = line(meaning) if isinstance(meaning, Tag) else ""
        self._place("term", entry["id"], label="Glossary", name=name, names=names, text=text)
        for part in [*terms, meaning]:
            if isinstance(part, Tag):
                part.extract()

    def _object(self, entry: Tag) -> None:
        name = str(entry["id"])
        about = entry.find_next_sibling("dd")
        first = about.find("p", recursive=False) if isinstance(about, Tag) else None
        text = line(first) if isinstance(first, Tag) else ""
        self._place(
            "object", name, label="Library", name=name, names=[name.rpartition(".")[2]], text=text
        )


def told(bold: list[str]) -> list[str]:
    """Return the bold phrases that may be terms, each once; omit long phrases and sentences."""
    return [word for word in dict.fromkeys(bold) if 2 < len(word) < 50 and word[-1] not in ".:?!"]


def clip(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most].rpartition(" ")[0] + " …"


def line(part: Tag) -> str:
    """Return the text of an HTML element as one line, without code and other unsearched elements.

    >>> line(BeautifulSoup("<p>a <b>b</b><pre>c</pre></p><p>d</p>", "html.parser"))
    'a b d'
    """
    words: list[str] = []

    def walk(node: Tag) -> None:
        for child in node.children:
            if isinstance(child, Tag):
                if is_dropped(child):
                    continue
                if child.name == "math":
                    words.append(linear(child))
                    continue
                walk(child)
                if child.name in APART:
                    words.append(" ")
            elif type(child) is NavigableString:
                words.append(str(child))

    walk(part)
    return " ".join("".join(words).split())


def is_rest(part: Tag) -> bool:
    return part.name == "table" or not REST.isdisjoint(part.get("class") or ())


def is_dropped(part: Tag) -> bool:
    return part.name in DROPPED or not DROPPED_CLASSES.isdisjoint(part.get("class") or ())


# --- formulas --------------------------------------------------------------------------------

PLAIN = re.compile(r"[-−+]?(?:[\d.,]*|\w|\w\(\w+\)|∞)")
#: combining characters for signs above a letter
ACCENTS = {"‾": "\u0304", "¯": "\u0304", "^": "\u0302", "~": "\u0303"}
FUNCTION = re.compile(r"[A-Za-z]{2}")
APPLIED = re.compile(r"(?<=log|exp|min|max|inf|sup|inh|osh|anh|.KL|.Pr|.TV) +\(")
FRACTION = re.compile(r"[^ ]+/[^ ]+")
FACTOR = re.compile(r"[\w(√]")
RELATION = re.compile(r"[=≤≥≠≈<>∈\u223c→↦]")


def held(text: str) -> str:
    """Put part of a formula in brackets unless it is simple, such as a number or a letter."""
    return text if PLAIN.fullmatch(text) else f"({text})"


def linear(formula: Tag) -> str:
    """Return a formula as one line of text.

    >>> linear(BeautifulSoup("<math><msup><mn>2</mn><mn>-53</mn></msup></math>", "html.parser"))
    '2^-53'
    """
    children = formula.find_all(True, recursive=False)
    parts = [linear(part) for part in children]
    match formula.name, parts:
        case "msup", [base, ("\u2032" | "\u2217" | "+" | "\u2212" | "*") as sign]:
            return f"{base}{sign}"
        case "msup", [base, above]:
            return f"{base}^{held(above)}"
        case "msub", [base, below]:
            return f"{base}_{held(below)}"
        case "munder", [base, below]:
            return f"{base}_{held(below)}"
        case (("msubsup" | "munderover"), [base, below, above]):
            end = " " if base in "∑∏∫" else ""
            return f"{base}_{held(below)}^{held(above)}{end}"
        case "mover", [base, above]:
            return base + ACCENTS.get(above, "") if len(base) == 1 else base
        case "mfrac", [above, below] if formula.get("linethickness") in ("0", "0px"):
            return f"binom({above}, {below})"
        case "mfrac", [above, below]:
            return f"{held(above)}/{held(below)}"
        case "msqrt", _:
            return f"√{held(''.join(parts).strip())}"
        case "mroot", [base, order]:
            return f"{held(base)}^(1/{order})"
        case "mtr", _:
            return " ".join(parts) + " "
        # only wide spaces separate the parts of a displayed formula, so drop narrow ones
        case "mspace", _:
            return " " if str(formula.get("width", "")).startswith(("1", "2")) else ""
    if parts:
        for i in range(1, len(parts)):
            before = parts[i - 1]
            if FUNCTION.match(parts[i]) and (before[-1:].isalnum() or before[-1:] == ")"):
                # put a space between a function's name and the sign before it, as in ρ log(1/δ)
                parts[i] = f" {parts[i]}"
            elif children[i].name == "mfrac" and APPLIED.search(f"{before.strip()} ("):
                parts[i] = f"({parts[i]})"
            elif FRACTION.fullmatch(before) and FACTOR.match(parts[i]):
                parts[i] = f" {parts[i]}"
        text = "".join(parts)
        return " ".join(APPLIED.sub("(", text).split()) if formula.name == "math" else text
    text = formula.get_text().strip()
    if formula.name != "mo":
        return text
    if text == "\u2061":  # the invisible sign of function application, as between log and 3
        return " "
    return f" {text} " if RELATION.fullmatch(text) else text
