"""Messages in several languages: English in the code, translations in catalogs of gettext.

A module names its catalog once, and each message is a constant text with named placeholders::

    _, _n = catalog("student")
    _("{passed} of {total} checks pass", passed=3, total=9)
    _n("one case differs", "{count} cases differ", count)

A translation lies in ``dpteach/locale/LANGUAGE/LC_MESSAGES/DOMAIN.po``. This file is read when the
first message of the catalog DOMAIN is needed in this language. English needs no file. The language
``en-XA`` is a pseudo-translation: the English text with accents, between brackets. Text that a
page or a command shows outside of the brackets is missing from the catalogs.

The whole process has one language. The environment variable `VARIABLE` passes the language on to
processes that start later.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import json
import os
import re
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

#: the name of the environment variable that holds the language
VARIABLE: Final = "DPTEACH_LANGUAGE"

#: the language of the messages in the source code, and the name of their pseudo-translation: the
#: same text with accents, for tests
SOURCE: Final = "en"
PSEUDO: Final = "en-XA"

#: the folder of the translations, with a subfolder for each language
_LOCALE: Path = Path(__file__).parent / "locale"

# matches the parts that a pseudo-translation must not change: placeholders (also those of
# argparse), code between backticks, formulas, and tags and entities of HTML
_KEPT: Final = re.compile(
    r"(\{[^{}]*\}|\$[^$\n]*\$|%\(\w+\)[a-z]|%%|`[^`]*`|</?[a-z][^>]*>|&#?\w+;)"
)
_ACCENTS: Final = str.maketrans("ACEGIKLNORSTUYZacegiklnorstuyz", "ÀÇÉĜÎĶĻÑÖŘŠŢÛÝŽàçéĝîķļñöřšţûýž")


class LanguageError(ValueError):
    """An error about a language without translations, or a translation file with a mistake."""


class Message(Protocol):
    """A function that returns a message in the current language."""

    def __call__(self, text: str, /, **values: object) -> str:
        """Return the translation of a text, with values in place of its placeholders."""


class Counted(Protocol):
    """A function that returns a message about a count, in the singular or the plural."""

    def __call__(self, one: str, many: str, count: float, /, **values: object) -> str:
        """Return the translated singular or plural, with the count in place of ``{count}``."""


class _Table(NamedTuple):
    """The translations of each English text (singular and plural forms), and the plural rule."""

    texts: dict[str, list[str]]
    form: Callable[[int], int]


def languages() -> list[str]:
    """Return the languages of messages: English, the test language ``en-XA``, and all translations.

    Examples
    --------
    >>> languages()[:2]
    ['en', 'en-XA']
    """
    translated = (path.parent.name for path in _LOCALE.glob("*/LC_MESSAGES"))
    return [SOURCE, PSEUDO, *sorted(translated)]


def translations(language: str) -> list[Path]:
    """Return the files that hold the translations into a language, one for each catalog."""
    return sorted((_LOCALE / language).glob("LC_MESSAGES/*.po"))


def check_language(language: object) -> str:
    """Return a language unchanged, or raise an error if messages do not exist in it.

    Raises
    ------
    LanguageError
        If no translations into the language exist; the error names the languages that exist.
    """
    known = languages()
    if not isinstance(language, str) or language not in known:
        raise LanguageError(f"language must be one of {', '.join(known)}, got {language!r}")
    return language


_current = os.environ.get(VARIABLE) or SOURCE


def language() -> str:
    """Return the current language of messages."""
    return _current


def is_chosen() -> bool:
    """Return whether the user chose the language; if so, a course's setting does not change it."""
    return bool(os.environ.get(VARIABLE))


@contextlib.contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Use a language for messages within a ``with`` block, also in processes that the block starts.

    With None, the current language stays.

    Raises
    ------
    LanguageError
        If no translations into the language exist.
    """
    global _current
    if language is None:
        yield
        return
    before = _current, os.environ.get(VARIABLE)
    _current = os.environ[VARIABLE] = check_language(language)
    try:
        yield
    finally:
        _current = before[0]
        if before[1] is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = before[1]


def N_(text: str) -> str:
    """Return a text unchanged; the call marks it as a message that is translated when shown."""
    return text


def catalog(domain: str) -> tuple[Message, Counted]:
    """Return the functions `_` and `_n`, which translate the messages of a domain.

    Parameters
    ----------
    domain
        The name of the catalog, which is also the name of the subpackage with the messages.

    Examples
    --------
    >>> _, _n = catalog("student")
    >>> _("{passed} of {total} checks pass", passed=3, total=9)
    '3 of 9 checks pass'
    >>> _n("one case differs", "{count} cases differ", 3)
    '3 cases differ'
    >>> with speaking("en-XA"):
    ...     _("{passed} of {total} checks pass", passed=3, total=9)
    '⟦3 öf 9 çhéçķš pàšš⟧'
    """

    def _(text: str, /, **values: object) -> str:
        if _current != SOURCE:
            text = _translated(domain, text)
        return text.format(**values) if values else text

    def _n(one: str, many: str, count: float, /, **values: object) -> str:
        if _current != SOURCE:
            text = _translated(domain, one, many, count)
        else:
            text = one if count == 1 else many
        return text.format(count=count, **values)

    return _, _n


#: matches a message in a JavaScript program: a call of `_` with a constant text
_IN_SCRIPT: Final = re.compile(r'(?<![\w$.])_\(\s*("(?:[^"\\]|\\.)*")')


def of_script(domain: str, script: str) -> dict[str, str]:
    """Return the translations of the messages in a JavaScript program, by their English texts.

    For English the result is empty. The program must call ``_("text", {values})`` with constant
    texts, whose placeholders are names.

    Examples
    --------
    >>> with speaking("en-XA"):
    ...     of_script("widgets", 'button.title = _("Figure menu");')
    {'Figure menu': '⟦Fîĝûřé méñû⟧'}
    """
    if _current == SOURCE:
        return {}
    texts = [json.loads(text) for text in _IN_SCRIPT.findall(script)]
    return {text: _translated(domain, text) for text in texts}


def _translated(domain: str, one: str, many: str = "", count: float = 1) -> str:
    """Return the translation of a text, or the English text if no translation exists."""
    english = one if count == 1 or not many else many
    # do not look up the empty text, under which gettext stores the header of a catalog
    if not english:
        return english
    if _current == PSEUDO:
        return pseudo(english)
    table = _table(_LOCALE, _current, domain)
    forms = table.texts.get(one)
    if forms is None:
        return english
    # gettext's plural rules cover whole numbers only, so a fraction takes the plural form of 2
    return forms[table.form(int(count) if count == int(count) else 2)] if many else forms[0]


def pseudo(text: str) -> str:
    """Return a text with accents and in brackets, which tests use like a translation.

    Examples
    --------
    >>> pseudo("see {place}: `check`")
    '⟦šéé {place}: `check`⟧'
    """
    parts = _KEPT.split(text)
    parts[::2] = [part.translate(_ACCENTS) for part in parts[::2]]
    return f"⟦{''.join(parts)}⟧"


@functools.cache
def _table(folder: Path, language: str, domain: str) -> _Table:
    """Return the translations in a catalog, read only once; an empty table if it has no file."""
    check_language(language)
    path = folder / language / "LC_MESSAGES" / f"{domain}.po"
    if not path.is_file():
        return _Table({}, _english_form)
    try:
        return _read(path.read_text("utf-8"))
    except ValueError as error:
        raise LanguageError(f"{path}: {error}") from None


def _english_form(count: int) -> int:
    return int(count != 1)


def _read(text: str) -> _Table:
    """Return the translations in the text of a ``.po`` file, except fuzzy and missing ones.

    Raises
    ------
    ValueError
        If a line is not of gettext's format, or a translation lacks the placeholders of its source.
    """
    # c2py turns gettext's plural rule into a function, and refuses everything but arithmetic on n
    from gettext import c2py

    texts: dict[str, list[str]] = {}
    form: Callable[[int], int] = _english_form
    for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n")):
        fuzzy = re.search(r"(?m)^#,.*\bfuzzy\b", block)
        entry = _entry(block)
        if not entry:
            continue
        source = entry.pop("msgid")
        many = entry.pop("msgid_plural", None)
        forms = list(entry.values())
        if source == "":
            if rule := re.search(r"plural=([^;]+);", forms[0]):
                form = c2py(rule[1])
        elif not fuzzy and all(forms):
            _check_placeholders(source, many, forms)
            texts[source] = forms
    return _Table(texts, form)


def _entry(block: str) -> dict[str, str]:
    """Return the texts of one entry of a ``.po`` file; the keys are keywords such as ``msgid``."""
    entry: dict[str, str] = {}
    key = ""
    for line in block.split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        found = re.fullmatch(r'(msgid|msgid_plural|msgstr(?:\[\d\])?)?\s*(".*")\s*', line)
        if not found or not (found[1] or key):
            raise ValueError(f"a line must be a keyword of gettext and a quoted text, got {line!r}")
        if found[1]:
            key = found[1]
            entry[key] = ""
        try:
            entry[key] += ast.literal_eval(found[2])
        except SyntaxError:
            raise ValueError(f"a text must end with its quotation mark, got {line!r}") from None
    if entry and not ("msgid" in entry and any(key.startswith("msgstr") for key in entry)):
        raise ValueError(f"an entry must have msgid and msgstr, got {block!r}")
    return entry


def placeholders(text: str) -> set[str]:
    """Return the names of the placeholders in a text.

    Examples
    --------
    >>> sorted(placeholders("{total:g} points for {name}"))
    ['name', 'total']
    """
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def _check_placeholders(source: str, many: str | None, forms: list[str]) -> None:
    """Raise an error if the placeholders of a translation differ from those of the English text.

    Each singular or plural form may omit ``{count}``, as in *one case differs*.
    """
    wanted = placeholders(source) | placeholders(many or "")
    free = {"count"} if many is not None else set()
    for form in forms:
        if placeholders(form) - free != wanted - free or not placeholders(form) <= wanted:
            names: Any = ", ".join(f"{{{name}}}" for name in sorted(wanted)) or "no placeholders"
            raise ValueError(f"the translation of {source!r} must have {names}, got {form!r}")
