"""Tests of translatable messages: catalogs, choice of the language, and their use in the source."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from messages import PACKAGE, SCRIPTS, catalogs, domain_of, files
from pseudo import outside, untranslated

from dpteach import _language
from dpteach._language import (
    N_,
    VARIABLE,
    LanguageError,
    catalog,
    check_language,
    is_chosen,
    language,
    languages,
    of_script,
    placeholders,
    pseudo,
    speaking,
    translations,
)
from dpteach.grading import Case, RepairCheck
from dpteach.grading.kinds.registry import KINDS

_, _n = catalog("small")

POLISH = r"""
# a comment
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: nplurals=3; "
"plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n"

#: somewhere.py:3
msgid "{passed} of {total} checks pass"
msgstr ""
"{total} testów, "
"zaliczone: {passed}"

msgid "say \"ż\"\n"
msgstr "powiedz \"ż\"\n"

msgid "one case differs in {name}"
msgid_plural "{count} cases differ in {name}"
msgstr[0] "jeden przypadek w {name}"
msgstr[1] "{count} przypadki w {name}"
msgstr[2] "{count} przypadków w {name}"

#, fuzzy
msgid "a guess"
msgstr "zgadywanka"

msgid "not yet"
msgstr ""
"""


@pytest.fixture
def locale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of translations that has the Polish catalog `POLISH` of the domain
    ``small``.
    """
    monkeypatch.setattr(_language, "_LOCALE", tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(_language, "_current", "en")
    write(tmp_path, POLISH)
    return tmp_path


def write(folder: Path, text: str) -> Path:
    """Write a file with a translation into Polish, and return its path."""
    file = folder / "pl" / "LC_MESSAGES" / "small.po"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_english_is_the_text_at_the_call(locale: Path) -> None:
    assert _("{passed} of {total:,} checks pass", passed=3, total=9000) == "3 of 9,000 checks pass"
    assert _("a { that is none") == "a { that is none"
    assert _n("one case differs", "{count} cases differ", 1) == "one case differs"
    assert _n("one case differs", "{count} cases differ", 0) == "0 cases differ"
    assert _n("{count} point", "{count} points", 0.5) == "0.5 points"
    assert N_("as it is") == "as it is"


def test_a_translation_is_read(locale: Path) -> None:
    with speaking("pl"):
        assert _("{passed} of {total} checks pass", passed=3, total=9) == "9 testów, zaliczone: 3"
        assert _('say "ż"\n') == 'powiedz "ż"\n'


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (1, "jeden przypadek w f"),
        (2, "2 przypadki w f"),
        (5, "5 przypadków w f"),
        (22, "22 przypadki w f"),
        (2.0, "2.0 przypadki w f"),
        (1.5, "1.5 przypadki w f"),
    ],
)
def test_each_count_has_the_form_of_its_language(locale: Path, count: float, words: str) -> None:
    with speaking("pl"):
        told = _n("one case differs in {name}", "{count} cases differ in {name}", count, name="f")
    assert told == words


def test_what_is_not_translated_stays_english(locale: Path) -> None:
    with speaking("pl"):
        assert [_("a guess"), _("not yet"), _("unknown {x}", x=1)] == [
            "a guess",
            "not yet",
            "unknown 1",
        ]
        assert _n("one {x}", "{count} {x}", 2, x="y") == "2 y"
        others, _none = catalog("without_a_file")
        assert others("text") == "text"


def test_what_babel_writes_is_read(locale: Path) -> None:
    made = Catalog(locale="pl")
    made.add("{passed} of {total} checks pass", "a „{total}” \\ \t{passed} " * 9)
    with write(locale, "").open("wb") as file:
        write_po(file, made, width=60)
    with speaking("pl"):
        told = _("{passed} of {total} checks pass", passed=3, total=9)
    assert told == "a „9” \\ \t3 " * 9


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('msgid "{a} of {b}"\nmsgstr "{a}"', r"must have {a}, {b}, got '{a}'"),
        ('msgid "{a}"\nmsgstr "{a} {b}"', r"must have {a}, got '{a} {b}'"),
        ('msgid "a"\nmsgstr "{b}"', r"must have no placeholders, got '{b}'"),
        (
            'msgid "one {a}"\nmsgid_plural "{count} {a}"\nmsgstr[0] "{a}"\nmsgstr[1] "{count}"',
            r"must have {a}, {count}, got '{count}'",
        ),
        ('msgid "a"\nmsgstr b', "must be a keyword of gettext and a quoted text, got 'msgstr b'"),
        ('msgid "a"\nmsgstr "b\\"', "must end with its quotation mark"),
        ('msgid "a"', "must have msgid and msgstr"),
        ('"a"', "must be a keyword of gettext"),
    ],
)
def test_a_wrong_translation_names_file_and_text(locale: Path, text: str, words: str) -> None:
    file = write(locale, text)
    with speaking("pl"), pytest.raises(LanguageError) as caught:
        _("a")
    assert str(file) in str(caught.value)
    assert words in str(caught.value)


def test_a_missing_value_is_an_error() -> None:
    for chosen in ("en", "en-XA"):
        with speaking(chosen), pytest.raises(KeyError, match="total"):
            _("{passed} of {total}", passed=3)


@pytest.mark.parametrize("wrong", ["xx", "", "EN", "../pl", None, 3])
def test_an_unknown_language_is_refused_by_name(locale: Path, wrong: object) -> None:
    with pytest.raises(LanguageError, match=r"^language must be one of en, en-XA, pl, got ") as at:
        check_language(wrong)
    assert str(at.value).endswith(repr(wrong))
    if isinstance(wrong, str):
        with pytest.raises(LanguageError), speaking(wrong):
            raise AssertionError("the block must not begin")
    assert language() == "en"


def test_the_choice_holds_for_the_block_and_for_new_processes(locale: Path) -> None:
    assert languages() == ["en", "en-XA", "pl"]
    assert not is_chosen()
    with speaking("pl"):
        assert (language(), os.environ[VARIABLE], is_chosen()) == ("pl", "pl", True)
        with speaking("en-XA"), speaking(None):
            assert language() == "en-XA"
        assert os.environ[VARIABLE] == "pl"
    assert language() == "en"
    assert VARIABLE not in os.environ
    with speaking("en-XA"):
        told = subprocess.run(
            [sys.executable, "-c", "from dpteach._language import *; print(catalog('x')[0]('ab'))"],
            capture_output=True,
            check=True,
            encoding="utf-8",
            env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        )
    assert told.stdout == "⟦àb⟧\n"


def test_nothing_is_read_before_it_is_needed(locale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    monkeypatch.setattr(_language, "_read", lambda text: read.append(text) or _language._read)
    catalog("small")[0]("text")
    with speaking("en-XA"):
        catalog("small")[0]("text")
    assert read == []


def test_an_english_message_needs_neither_gettext_nor_a_file() -> None:
    program = "import sys; from dpteach._language import catalog as c; c('x')[0]('a'); "
    program += "print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "gettext" not in run.stdout.split()


def test_translations_change_what_a_result_is_known_by(locale: Path) -> None:
    from dpteach.grading.core.result import graded_by

    english = graded_by()
    assert [path.name for path in translations("pl")] == ["small.po"]
    with speaking("pl"):
        assert graded_by() != english
    assert graded_by() == english


def test_the_pseudo_translation_leaves_what_is_not_prose() -> None:
    text = 'Open {name!r} with <a href="x">`dpteach mine`</a> &amp; %(prog)s 100%%'
    assert pseudo(text) == (
        '⟦Öpéñ {name!r} wîţh <a href="x">`dpteach mine`</a> &amp; %(prog)s 100%%⟧'
    )
    with speaking("en-XA"):
        assert _n("one", "{count:,} cases", 2000) == "⟦2,000 çàšéš⟧"


def test_words_outside_of_the_brackets_are_found() -> None:
    assert outside("a ⟦b ⟦c⟧ d⟧ e") == "a  e"
    assert untranslated("name: ⟦ţöļd⟧ and more of `code`", "name") == ["and", "more", "of"]
    assert untranslated("⟦ţöļd ⟦ţwîçé⟧⟧: 3.5 [1, 2] renyi_dp.ipynb a=b") == []
    with pytest.raises(AssertionError, match="brackets"):
        outside("⟦cut")


# ---------------------------------------------------------------- messages in the source code


def calls(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    """Yield each call of a translation function (`_`, `_n` or `N_`), with the function's name."""
    for node in ast.walk(tree):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in ("_", "_n", "N_"):
            yield node, called.id


def tables(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield each function that calls `_`, `_n` or `N_` and also has a variable of the called name.

    The variable, which may be a parameter, hides the translation function of this name.
    """
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        own = {
            one.id
            for one in ast.walk(node)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        own |= {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
        if own & {name for _call, name in calls(node)}:
            yield node


def problems(tree: ast.AST) -> Iterator[str]:
    """Yield a description of each wrong use of the translation functions `_`, `_n` and `N_`."""
    for call, name in calls(tree):
        at = f"line {call.lineno}"
        texts = call.args[: 2 if name == "_n" else 1]
        constant = [one.value for one in texts if isinstance(one, ast.Constant)]
        if (
            name == "_"
            and len(constant) == 0
            and isinstance(call.args[0], (ast.Name, ast.Attribute))
        ):
            if call.keywords and any(word.arg is None for word in call.keywords):
                yield f"{at}: the values of a message must be named"
            # a variable is permitted: its possible texts are marked by `N_` where they are defined
            continue
        if len(constant) != len(texts) or not all(isinstance(one, str) for one in constant):
            yield f"{at}: the text of a message must be a constant string"
            continue
        if len(call.args) != (3 if name == "_n" else 1):
            yield f"{at}: the values of a message must be named"
            continue
        if name == "N_":
            continue
        told = {word.arg for word in call.keywords}
        wanted = set().union(*map(placeholders, constant)) if told or name == "_n" else set()
        if any(not field.isidentifier() for field in wanted):
            yield f"{at}: a placeholder must be a name"
        elif wanted - ({"count"} if name == "_n" else set()) != told:
            yield f"{at}: has placeholders {sorted(wanted)} and values {sorted(map(str, told))}"
        if name == "_" and not told and re.search(r"\{[a-z_]+[!:}]", constant[0]):
            yield f"{at}: has placeholders and no values"
    for function in tables(tree):
        yield f"line {function.lineno}: a function must not use _ or _n as a variable"


MODULES = [path for domain, path in files() if path.suffix == ".py"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_messages_are_constant_texts_with_named_values(path: Path) -> None:
    assert list(problems(ast.parse(path.read_text("utf-8")))) == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('_(f"a {b}")', "constant string"),
        ('_("a" + b)', "constant string"),
        ('_("a {b}".format(b=1))', "constant string"),
        ('_n("a", f"{b}", 2)', "constant string"),
        ('_("a {b}", c=1)', "placeholders ['b'] and values ['c']"),
        ('_("a {b}")', "no values"),
        ('_("a", b=1)', "placeholders [] and values ['b']"),
        ('_("a {}", 1)', "must be named"),
        ('_("a {b.c}", b=1)', "must be a name"),
        ('_n("a", "{count} b", 2, count=2)', "values ['count']"),
        ('N_(f"a {b}")', "constant string"),
        ('def f():\n    for _ in x:\n        pass\n    return _("a")', "as a variable"),
    ],
)
def test_a_message_that_babel_or_format_would_miss_is_found(source: str, words: str) -> None:
    (found,) = problems(ast.parse(source))
    assert words in found


def test_a_right_message_is_left_alone() -> None:
    source = '_("a")\n_("a {b:,}", b=1)\n_n("a {b}", "{count} {b}", n, b=1)\nN_("a")\n_(about)'
    assert list(problems(ast.parse(source))) == []


def test_every_message_is_extracted() -> None:
    made = catalogs()
    assert {"cli"} <= set(made)
    for domain, path in files():
        if path.suffix != ".py":
            continue
        for call, _name in calls(ast.parse(path.read_text("utf-8"))):
            if isinstance(call.args[0], ast.Constant):
                assert call.args[0].value in made[domain], (path, call.lineno)


def test_why_a_kind_refuses_an_argument_is_a_message() -> None:
    """The catalog of messages has every reason why a kind of check refuses an argument.

    A kind, such as `RepairCheck`, has these reasons in its table `_refused`. The catalog must say
    that each message comes from the module with this table.
    """
    made = catalogs()["kinds"]
    for declaration in (kind.declaration for kind in KINDS.values()):
        file = Path(sys.modules[declaration.__module__].__file__ or "")
        place = file.relative_to(PACKAGE.parent).as_posix()
        inherited = getattr(declaration.__base__, "_refused", {}).values()
        for why in set(declaration._refused.values()) - set(inherited):
            message = made.get(why)
            assert message and place in {where for where, _line in message.locations}, why


def test_a_refused_argument_is_told_in_the_language() -> None:
    about = {"name": "a", "points": 1, "call": "f", "visible": [Case(1)], "law": lambda x: x}
    with speaking("en-XA"), pytest.raises(ValueError, match="builds_on") as caught:
        RepairCheck(**about, broken=lambda x, rng: x, builds_on=["b"])
    assert pseudo("its function runs without other items' functions") in str(caught.value)
    assert untranslated(str(caught.value), "builds_on", "RepairCheck", "['b']") == []


def test_a_template_of_text_is_one_message() -> None:
    made = catalogs()
    texts = [(domain, path) for domain, path in files() if path.suffix == ".txt"]
    assert {domain for domain, _path in texts} == {"publish", "term"}
    for domain, path in texts:
        assert path.read_text("utf-8") in made[domain]


def test_a_subpackage_has_one_domain() -> None:
    assert domain_of(PACKAGE / "cli.py") == "cli"
    for domain, path in files():
        if path.parent != PACKAGE and path.is_relative_to(PACKAGE):
            assert domain == path.relative_to(PACKAGE).parts[1 if "grading" in path.parts else 0]


def test_each_translation_can_be_used() -> None:
    for path in (path for name in languages()[2:] for path in translations(name)):
        _language._read(path.read_text("utf-8"))
        assert path.stem in catalogs()


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_the_translations_of_a_script_are_those_of_the_messages_for_translators(
    path: Path,
) -> None:
    domain, source = domain_of(path), path.read_text("utf-8")
    assert of_script(domain, source) == {}
    place = path.relative_to(PACKAGE.parent).as_posix()
    told = {
        str(one.id)
        for one in catalogs()[domain]
        if any(where == place for where, _line in one.locations)
    }
    assert told
    with speaking("en-XA"):
        found = of_script(domain, source)
    assert {*found} == told
    assert all(text.startswith("\u27e6") for text in found.values())


#: matches a text of several words in JavaScript that is not passed to `_`, the function that
#: translates it
SENTENCE = re.compile(r'(?<!_\()(?<!_\(\n)(["`])([A-Z][a-z]+(?: [\w,.$]+)+[.:]?)\1')


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_has_no_sentence_outside_its_messages(path: Path) -> None:
    code = re.sub(r"(?s)/\*.*?\*/|(?<!:)//[^\n]*", "", path.read_text("utf-8"))
    assert SENTENCE.findall(code) == []
    assert SENTENCE.findall('tell("Nothing was found.")')
    assert not SENTENCE.findall('tell(_("Nothing was found."))')


def test_a_translated_explorer_shows_no_english() -> None:
    from dpteach import figures
    from dpteach.widgets import Slider, explore

    shown = explore(
        figures.belief,
        epsilon=Slider([0.5, 1.0], label="1"),
        before=Slider([0.1, 0.5], label="2"),
        question="?",
        answer="!",
    )
    with speaking("en-XA"):
        told = re.sub(r"<script.*?</script>|<img[^>]*>", "", shown.markup("data:,"))
        messages = shown.spec()["messages"]
    assert untranslated(re.sub(r"<[^>]*>", " ", told)) == []
    assert messages["Lecture mode"] == pseudo("Lecture mode")
    assert "messages" not in shown.spec()
