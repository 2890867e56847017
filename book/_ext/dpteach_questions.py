"""A Sphinx extension for questions in a page, by which readers test themselves::

    ```{question} How long until she is right 19 times in 20?
    - a month :: Thirty days at 0.1 *permit* that; it is not what happens.
    - three years (right) :: 1,118 days.
    - never :: Privacy is spent, a little each day.
    ```

The words before ``::`` are a choice, and the words after it are the feedback for readers who take
this choice. If several choices are ``(right)``, or the question has the option ``:several:``,
readers may take several choices. A choice ``otherwise`` makes the question ask for a number: the
other choices are then numbers, as in ``188 ± 2 (right) :: ...``, and the feedback of ``otherwise``
is shown for all numbers that match none of these choices.

A question that cannot be answered is an error of the build. A page contains all feedback once, in
a list at its end, for print and for browsers without scripts; with scripts, `questions.js` shows
the parts of this list beside the questions. The directive ``{progress}`` lists the pages that have
questions.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

RIGHT = re.compile(r"\s*\(right\)\s*$")
SEPARATOR = re.compile(r"(?:^|\s)::(?:\s|$)")
NUMBER = r"[-−]?\d+(?:\.\d+)?(?:e[-−]?\d+)?"
VALUE = re.compile(rf"({NUMBER})(?:\s*±\s*({NUMBER}))?")
OTHERWISE = "otherwise"


class question(nodes.Element):
    """A node for a question: a `text` and several `choice` nodes.

    Its attributes are "kind" ("one", "several" or "number"), "number" (its number on the page) and
    "ids".
    """


class text(nodes.Element):
    """A node with the text of a question or of a choice."""


class choice(nodes.Element):
    """A node for a choice: a `text` and a `feedback` node; its attribute "right" is True or False.

    If the question asks for a number, the choice also has the attributes "value" and "tolerance".
    """


class feedback(nodes.Element):
    """A node with the feedback for readers who take a choice."""


class answers(nodes.Element):
    """A placeholder for the list at the end of a page with the feedback on all its questions."""


class progress(nodes.Element):
    """A placeholder for the list of pages that have questions."""


class MalformedError(Exception):
    """An error for a question that readers could not answer, such as one without a right choice."""


def setup(app: Sphinx) -> dict[str, Any]:
    html_visitors = {
        question: (visit_question, depart_question),
        text: (visit_nothing, visit_nothing),
        choice: (visit_choice, depart_choice),
        feedback: (skip, visit_nothing),
        answers: (visit_answers, depart_answers),
        progress: (visit_progress, visit_nothing),
    }
    for node, visitors in html_visitors.items():
        app.add_node(node, html=visitors)
    app.add_directive("question", Question)
    app.add_directive("progress", Progress)
    app.connect("doctree-read", collect)
    app.connect("env-purge-doc", purge)
    app.connect("env-merge-info", merge)
    app.connect("doctree-resolved", resolve)
    app.connect("html-page-context", add_files)
    app.add_css_file("questions.css")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


# --- reading of directives ------------------------------------------------------------------


class Question(SphinxDirective):
    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {"several": directives.flag}

    def run(self) -> list[nodes.Node]:
        body = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, body)
        words = text()
        if self.arguments:
            inline, messages = self.state.inline_text(self.arguments[0], self.lineno)
            words += [nodes.paragraph("", "", *inline), *messages]
        try:
            return [made(words, body, several="several" in self.options)]
        except MalformedError as error:
            raise self.error(f"question: {error}") from None


def made(words: text, body: nodes.Element, *, several: bool = False) -> question:
    """Return the question node for a directive, given the question's text and list of choices."""
    lists = [child for child in body if isinstance(child, nodes.bullet_list)]
    if len(lists) != 1 or body[-1] is not lists[0]:
        raise MalformedError("its choices must be one list, at its end")
    words += [child for child in body if child is not lists[0]]
    if not words.astext().strip():
        raise MalformedError("it asks nothing: words must stand before the choices")
    choices = [one_choice(item) for item in lists[0]]
    said = [each[0].astext() for each in choices]
    for each in said:
        if said.count(each) > 1:
            raise MalformedError(f"the choice {each!r} stands there twice")
    right = sum(each["right"] for each in choices)
    if not right:
        raise MalformedError("none of its choices is marked (right)")
    if len(choices) < 2:
        raise MalformedError("it has one choice only")
    if OTHERWISE in said:
        kind = "number"
        check_numbers(choices)
    else:
        kind = "several" if several or right > 1 else "one"
        if kind == "one" and right == len(choices):
            raise MalformedError("all of its choices are right")
    return question("", words, *choices, kind=kind)


def one_choice(item: nodes.Element) -> choice:
    """Return the choice node, with its feedback, for an item of a question's list."""
    first = item[0] if len(item) else None
    if isinstance(first, nodes.paragraph):
        for i, part in enumerate(first.children):
            found = isinstance(part, nodes.Text) and SEPARATOR.search(part)
            if not found:
                continue
            before = [*first.children[:i], nodes.Text(part[: found.start()])]
            after = [nodes.Text(part[found.end() :]), *first.children[i + 1 :]]
            last = before[-1].astext()
            right = bool(RIGHT.search(last))
            before[-1] = nodes.Text(RIGHT.sub("", last))
            words = text("", *before)
            said = feedback("", nodes.paragraph("", "", *after), *item.children[1:])
            if not words.astext().strip():
                raise MalformedError("a choice has no words before ::")
            if not said.astext().strip():
                raise MalformedError(f"the choice {words.astext()!r} has no feedback after ::")
            return choice("", words, said, right=right)
    raise MalformedError(
        f"the choice {item.astext()!r} has no feedback: write `choice :: feedback`"
    )


def check_numbers(choices: list[choice]) -> None:
    """Set the values and tolerances of numerical choices, and refuse choices that overlap."""
    numbers = [each for each in choices if each[0].astext() != OTHERWISE]
    for each in numbers:
        words = each[0].astext()
        value = VALUE.fullmatch(words)
        if not value:
            raise MalformedError(f"{words!r} must be a number, as in 188 or 188 ± 2")
        each["value"] = float(value[1].replace("−", "-"))
        each["tolerance"] = float(value[2] or 0)
    if sum(each["right"] for each in choices) != 1 or not any(each["right"] for each in numbers):
        raise MalformedError("exactly one of its numbers must be (right)")
    for i, each in enumerate(numbers):
        for other in numbers[:i]:
            if abs(each["value"] - other["value"]) <= each["tolerance"] + other["tolerance"]:
                raise MalformedError(f"{other[0].astext()} and {each[0].astext()} overlap")
    for each in choices:
        # replace "otherwise", which would make no sense in the list of answers at the end of a
        # page
        if each[0].astext() == OTHERWISE:
            each.replace(each[0], text("", nodes.Text("any other number")))


class Progress(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        return [progress()]


# --- processing of all pages ----------------------------------------------------------------


@dataclass(frozen=True)
class Page:
    """The title of a page and the ids of its questions."""

    title: str
    ids: tuple[str, ...]


def pages(env: BuildEnvironment) -> dict[str, Page]:
    if not hasattr(env, "dpteach_questions"):
        env.dpteach_questions = {}  # type: ignore[attr-defined]
    found: dict[str, Page] = env.dpteach_questions
    return found


def collect(app: Sphinx, doctree: nodes.document) -> None:
    """Number a page's questions, make ids from their texts, and store the ids.

    The directive ``{progress}``, which lists the pages with questions, uses the stored ids.
    """
    found = list(doctree.findall(question))
    if not found:
        return
    for i, node in enumerate(found):
        name = nodes.make_id(node[0].astext())[:48].strip("-")
        node["number"] = i + 1
        identifier = f"question-{name}"
        node["ids"] = [identifier if identifier not in doctree.ids else f"{identifier}-{i + 1}"]
        doctree.ids[node["ids"][0]] = node
    env = app.env
    title = next(iter(doctree.findall(nodes.title))).astext()
    pages(env)[env.docname] = Page(title, tuple(node["ids"][0] for node in found))


def in_order(env: BuildEnvironment, name: str | None = None) -> list[str]:
    """Return the names of a page and of all pages below it in the table of contents.

    By default the page is the front page.
    """
    name = env.config.root_doc if name is None else name
    below = env.toctree_includes.get(name, [])
    return [name, *(page for each in below for page in in_order(env, each))]


def purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    pages(env).pop(docname, None)


def merge(app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    pages(env).update({name: pages(other)[name] for name in docnames if name in pages(other)})


def resolve(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Add the list of answers to a page; in formats other than HTML, turn questions into lists."""
    found = list(doctree.findall(question))
    if found:
        listed = answers(page=docname)
        for node in found:
            listed += answer(node)
        last = next(iter(doctree.findall(nodes.section)), doctree)
        if app.builder.format == "html":
            last += listed
        else:
            last += nodes.rubric("", "Answers to the questions")
            last += listed.children
            for node in found:
                node.replace_self(plain(node))
    if app.builder.format != "html":
        for each in list(doctree.findall(progress)):
            each.parent.remove(each)


def answer(node: question) -> nodes.Element:
    """Return the feedback on all choices of a question, as an entry for the list of answers."""
    listed = nodes.bullet_list(classes=["question-feedback"])
    for i, each in enumerate(node.findall(choice)):
        item = nodes.list_item(classes=["right"] if each["right"] else [])
        item["ids"] = [f"{node['ids'][0]}-{i}"]
        words = [child.deepcopy() for child in each[0]]
        mark = "right" if each["right"] else "wrong"
        item += nodes.paragraph("", "", nodes.strong("", "", *words), nodes.Text(f" ({mark})"))
        item += [child.deepcopy() for child in each[1]]
        listed += item
    title = nodes.paragraph("", f"Question {node['number']}.", classes=["question-title"])
    for block in node[0]:
        title += nodes.Text(" ")
        words = block if isinstance(block, nodes.paragraph) else [nodes.Text(block.astext())]
        title += [child.deepcopy() for child in words]
    return nodes.container("", title, listed, ids=[f"{node['ids'][0]}-answer"])


def plain(node: question) -> nodes.Element:
    """Return a question as text and a list of its choices, for formats other than HTML."""
    listed = nodes.bullet_list()
    for each in node.findall(choice):
        if node["kind"] != "number":
            listed += nodes.list_item("", nodes.paragraph("", "", *each[0].children))
    heading = nodes.paragraph("", "", nodes.strong("", f"Question {node['number']}. "))
    return nodes.container("", heading, *node[0].children, *([listed] if len(listed) else []))


def add_files(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    if doctree and any(isinstance(each, (question, progress)) for each in doctree.findall()):
        app.add_js_file("questions.js", loading_method="defer")


# --- HTML output ----------------------------------------------------------------------------


def visit_nothing(self: Any, node: nodes.Element) -> None:
    pass


def skip(self: Any, node: nodes.Element) -> None:
    raise nodes.SkipNode


KINDS = {
    "one": "Choose one.",
    "several": "Select all that apply.",
    "number": "Answer with a number.",
}


def visit_question(self: Any, node: nodes.Element) -> None:
    identifier = node["ids"][0]
    attributes = {
        "class": "question",
        "id": identifier,
        "data-kind": node["kind"],
        "data-page": self.builder.current_docname,
        "aria-labelledby": f"{identifier}-text",
    }
    if node["kind"] == "number":
        numbers = [
            [each["value"], each["tolerance"], each["right"]] if "value" in each else None
            for each in node.findall(choice)
        ]
        attributes["data-numbers"] = json.dumps(numbers)
    else:
        right = [each["right"] for each in node.findall(choice)]
        attributes["data-right"] = json.dumps(right)
    written = " ".join(f'{key}="{html.escape(value)}"' for key, value in attributes.items())
    self.body.append(f'<form {written}><p class="question-label">Question {node["number"]}</p>')
    self.body.append(f'<div class="question-text" id="{identifier}-text">')
    for child in node[0]:
        child.walkabout(self)
    how = KINDS[node["kind"]]
    self.body.append(f'</div><p class="question-how" id="{identifier}-how">{how}</p>')
    self.body.append(
        f'<fieldset class="question-choices" aria-labelledby="{identifier}-text"'
        f' aria-describedby="{identifier}-how">'
    )
    if node["kind"] == "number":
        self.body.append(
            '<input type="text" inputmode="decimal" autocomplete="off" spellcheck="false"'
            f' size="12" aria-labelledby="{identifier}-text" name="{identifier}">'
        )
    for i, each in enumerate(node.findall(choice)):
        each["kind"], each["place"], each["of"] = node["kind"], i, identifier
    node.remove(node[0])


def depart_question(self: Any, node: nodes.Element) -> None:
    identifier = node["ids"][0]
    self.body.append(
        '</fieldset><p class="question-actions"><button type="submit">Check</button></p>'
        '<div class="question-verdict" role="status"></div>'
        f'<p class="question-link"><a href="#{identifier}-answer">Answer</a></p></form>\n'
    )


def visit_choice(self: Any, node: nodes.Element) -> None:
    if node["kind"] == "number":
        raise nodes.SkipNode
    kind = "radio" if node["kind"] == "one" else "checkbox"
    self.body.append(
        f'<label><input type="{kind}" name="{node["of"]}" value="{node["place"]}"><span>'
    )


def depart_choice(self: Any, node: nodes.Element) -> None:
    self.body.append("</span></label>\n")


def visit_answers(self: Any, node: nodes.Element) -> None:
    self.body.append(
        '<section class="question-answers" aria-labelledby="question-answers">'
        '<h2 id="question-answers">Answers to the questions</h2>\n'
    )


def depart_answers(self: Any, node: nodes.Element) -> None:
    self.body.append("</section>\n")


def visit_progress(self: Any, node: nodes.Element) -> None:
    found = pages(self.builder.env)
    self.body.append('<div class="question-progress"><ul>\n')
    for name in in_order(self.builder.env):
        if name not in found:
            continue
        page, count = found[name], len(found[name].ids)
        address = self.builder.get_relative_uri(self.builder.current_docname, name)
        self.body.append(
            f'<li data-page="{name}" data-ids="{" ".join(page.ids)}">'
            f'<a href="{address}">{html.escape(page.title)}</a> <span>{count} question'
            f"{'' if count == 1 else 's'}</span></li>\n"
        )
    self.body.append(
        '</ul><p class="question-actions" hidden><button type="button">Forget my answers</button>'
        "</p></div>\n"
    )
