"""Functions that sanitize a student's text and outputs before an instructor's browser shows them.

The notebook that formgrader shows, and the pages made from it, open in the browser of a user who is
logged in as the instructor. The functions here reduce the outputs of a cell to text and small
pictures, up to a size limit, without HTML, JavaScript or widgets. The HTML of a text cell is
sanitized where it is rendered (`dpteach.grading.pages.formgrader`).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import unquote

from dpteach._language import catalog

_, _n = catalog("core")

#: the largest number of characters that are shown of an error's name, and of an error's text
NAME_CHARACTERS: Final = 80
ERROR_CHARACTERS: Final = 300

#: the largest number of bytes that are shown of all outputs of a notebook, and of the text that
#: one cell prints
NOTEBOOK_BYTES: Final = 100_000
CELL_BYTES: Final = 20_000

#: the largest number of base64 bytes of one picture in an output; and of all pictures in text
#: cells, such as photographs of a proof. 8 MB of base64 encode 6 MB of pictures
PICTURE_BYTES: Final = 60_000
ATTACHED_BYTES: Final = 8_000_000

#: the largest number of characters that are shown of one text cell, of all text cells, of a line
#: of code, of a code cell, and of all code cells. Rendering time grows with the square of a text's
#: length; these limits keep it to a few seconds for any text
TEXT_CHARACTERS: Final = 10_000
TEXTS_CHARACTERS: Final = 100_000
LINE_CHARACTERS: Final = 300
CODE_CHARACTERS: Final = 20_000
CODES_CHARACTERS: Final = 100_000

# the first bytes of each allowed type of picture. SVG pictures are not allowed, because they can
# contain scripts
_PICTURES = {
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/gif": re.compile(rb"GIF8[79]a"),
    "image/webp": re.compile(rb"RIFF....WEBP", re.S),
}

_ESCAPE = re.compile(r"\x1b(?:\[([0-?]{0,20})[ -/]{0,4}([@-~]?)|\][^\x07\x1b\n]*\x07?|.|$)", re.S)
# patterns of memory addresses and temporary file names, which differ in every run. `clean` replaces
# them, because grading a submission twice must give the same result
_ADDRESS = re.compile(r"(?<= at )0x[0-9A-Fa-f]{4,16}\b")
_FILE = re.compile(r"(?:/[\w.-]{1,80}){0,4}/ipykernel_\d{1,10}/\d{1,20}\.py")
_PLACE = re.compile(r"\(\d{1,20}\.py, line (\d{1,9})\)")
_COLOUR = re.compile(r"[0-9;]*")
# control characters, unusual line ends, and characters that change the direction of writing. They
# could hide text or control a terminal
_CONTROL = re.compile("[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")

#: a picture counts as at most this number of characters when the length of a text is limited
_PICTURE_CHARACTERS = 100

_PICTURE = re.compile(
    r"(!\[[^\[\]\n]{0,200}\]\("
    r"(?:attachment:[^\s()<>\"'`&\\]{1,600}|data:image/[a-z+]{3,7};base64,[A-Za-z0-9+/=]+)\))"
)
_NAME = re.compile(r"[^\x00-\x1f\x7f()<>\"'`&\\/\[\]]{1,100}")


def _cut() -> str:
    """Return the line that marks the end of a text that was cut because it was too long."""
    return "\n" + _("... (cut)")


def _no_picture() -> str:
    """Return the words that replace, in a text cell, a picture that is not allowed."""
    return _("(a picture is not shown)")


def _not_drawn() -> str:
    """Return the line that replaces, among the outputs of a cell, a picture that is not allowed."""
    return "\n" + _(
        "(a picture is not shown: it is larger than {size} kB, the other pictures used up the "
        "space, or it is not PNG, JPEG, GIF or WebP)",
        size=PICTURE_BYTES * 3 // 4 // 1000,
    )


def clean(text: object, most: int | None = None) -> str:
    """Remove control characters, escape sequences and lone surrogates from a text.

    Characters that change the direction of writing are removed, too, because they can make one
    line look like another. Escape sequences for colors stay. Memory addresses, and the names of
    the temporary files that IPython makes for cells, differ in every run; ``0x...`` and "cell"
    replace them.

    Parameters
    ----------
    text
        Any value. The function returns "" for a value that is not a string.
    most
        The number of characters to keep, or None for all.

    Examples
    --------
    >>> clean("a\\x00b\\u202ec\\x1b[2Jd")
    'abcd'
    >>> clean("<function f at 0x7f0123456789>")
    '<function f at 0x...>'
    >>> clean("x" * 20, 5)
    'xxxxx\\n... (cut)'
    >>> clean("invalid syntax (3586749155.py, line 2)")
    'invalid syntax (line 2 of the cell)'
    """
    if not isinstance(text, str):
        return ""
    cut = most is not None and len(text) > most
    text = _ESCAPE.sub(_colour_only, well_formed(text[:most]))
    if "0x" in text or "/ipykernel_" in text:
        text = _FILE.sub("cell", _ADDRESS.sub("0x...", text))
    if ".py, line " in text:
        text = _PLACE.sub(r"(line \1 of the cell)", text)
    text = _CONTROL.sub("", text)
    return text + _cut() if cut else text


def _colour_only(escape: re.Match[str]) -> str:
    colour = escape[2] == "m" and _COLOUR.fullmatch(escape[1])
    return f"\x1b[{escape[1]}m" if colour else ""


def well_formed(text: str) -> str:
    """Replace a text's lone surrogates, which UTF-8 cannot encode, and end all lines with ``\\n``.

    Examples
    --------
    >>> well_formed("a\\r\\nb\\rc")
    'a\\nb\\nc'
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def listed(names: Sequence[str]) -> str:
    """Return a text that lists up to five quoted names, and states how many more there are."""
    first = ", ".join(quoted(name) for name in names[:5])
    if len(names) <= 5:
        return first
    return _n("{names} and 1 more", "{names} and {count} more", len(names) - 5, names=first)


def quoted(name: object) -> str:
    """Quote a name that a student chose (of a file or a cell) for use in a sentence.

    Examples
    --------
    >>> quoted("a\\nb.ipynb")
    '`ab.ipynb`'
    """
    text = clean(name).replace("\n", "").replace("\t", " ").replace("`", "'").replace("\x1b", "")
    if len(text) > NAME_CHARACTERS:
        text = text[: NAME_CHARACTERS // 2] + "..." + text[-NAME_CHARACTERS // 2 :]
    return f"`{text}`"


def one_line(text: object) -> str:
    """Return the text of an error on one line, without colors."""
    words = re.sub(r"\x1b\[[0-9;]*m", "", clean(text, 10 * ERROR_CHARACTERS)).split()
    line = " ".join(words)
    return line if len(line) <= ERROR_CHARACTERS else line[: ERROR_CHARACTERS - 3] + "..."


def printable(text: str) -> str:
    """Replace the characters of a text, such as a student's id, that could control a terminal.

    Examples
    --------
    >>> printable("a\\x1b[2Jb")
    'a�[2Jb'
    """
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def markdown(
    text: str, most: int = TEXT_CHARACTERS, attached: Collection[str] | None = None
) -> str:
    """Return the beginning of a student's Markdown, up to a limit, with the allowed pictures in it.

    HTML and links stay, because `dpteach.grading.pages.formgrader` and JupyterLab sanitize them
    when they show the text. Words replace the pictures that are not allowed.

    Parameters
    ----------
    text
        The text of a cell.
    most
        The number of characters to keep. A picture counts as at most 100.
    attached
        The names of the cell's attachments. If None, every attachment counts as present.

    Examples
    --------
    >>> markdown("![proof](attachment:proof.png)")
    '![proof](attachment:proof.png)'
    >>> markdown("![proof](attachment:proof.svg)", attached=[])
    '(the picture `proof.svg` is not shown here)'
    >>> markdown("x" * 20, 10)
    'xxxxxxxxxx\\n... (cut)'
    """
    kept: list[str] = []
    pictures = ATTACHED_BYTES
    left = None if attached is None else set(attached)
    for i, part in enumerate(_PICTURE.split(clean(text))):
        if i % 2:
            # parts with odd indices are pictures. Each picture is kept whole or left out. A
            # picture also counts as some characters of text, so that the number of pictures is
            # limited, too
            pictures, most = pictures - len(part), most - min(len(part), _PICTURE_CHARACTERS)
            if most >= 0:
                kept.append(_picture(part, left) if pictures >= 0 else _no_picture())
            continue
        if len(part) > most:
            kept.append(part[: max(most, 0)] + _cut())
            break
        most -= len(part)
        kept.append(part)
    return "".join(kept)


def markdown_length(text: str) -> int:
    """Return the length of a student's Markdown, where a picture counts as at most 100 characters.

    Examples
    --------
    >>> markdown_length("12345")
    5
    """
    parts = _PICTURE.split(clean(text))
    pictures = sum(min(len(part), _PICTURE_CHARACTERS) for part in parts[1::2])
    return pictures + sum(map(len, parts[::2]))


def _picture(part: str, left: set[str] | None) -> str:
    """Return a picture's Markdown, or a text if the picture is not allowed or was shown before.

    A repeated picture is not shown again, because its data would be repeated in the page. `left`
    has the names of the attachments that were not shown so far; if it is None, every attachment is
    shown.
    """
    address = part.rpartition("](")[2].removesuffix(")")
    kind, _colon, reference = address.partition(":")
    if kind == "data":
        return part if data_picture(address) else _no_picture()
    if left is None:
        return part
    if name := attachment_name(reference, left):
        left.remove(name)
        return part
    return _("(the picture {name} is not shown here)", name=quoted(unquote(reference)))


def attachment_name(reference: str, attached: Collection[str]) -> str:
    """Return the name of the attachment that a reference in a text cell points to, or "".

    JupyterLab writes a space in the name of an attachment as ``%20``.

    Examples
    --------
    >>> attachment_name("my%20proof.png", ["my proof.png"])
    'my proof.png'
    """
    for name in (reference, unquote(reference)):
        if name in attached:
            return name
    return ""


def data_picture(address: str) -> bool:
    """Return whether an address is a data URL that holds an allowed picture (`picture`).

    Examples
    --------
    >>> data_picture("data:image/png;base64,iVBORw0KGgo="), data_picture("https://a.b/c.png")
    (True, False)
    """
    kind, found, content = address.removeprefix("data:").partition(";base64,")
    return bool(address.startswith("data:") and found and picture(kind, content, ATTACHED_BYTES))


def code(text: str, most: int = CODE_CHARACTERS) -> str:
    """Return a student's code, cut so that its length does not make syntax highlighting slow.

    Examples
    --------
    >>> code("x = 1")
    'x = 1'
    >>> code("." * 600)[290:]
    '.......... ... (cut)'
    """
    lines = [
        line if len(line) <= LINE_CHARACTERS else line[:LINE_CHARACTERS] + " " + _("... (cut)")
        for line in text.split("\n")
    ]
    whole = "\n".join(lines)
    return whole if len(whole) <= most else whole[: max(most, 0)] + _cut()


def attachments(found: object, room: int) -> tuple[dict[str, dict[str, str]], int]:
    """Return the allowed pictures among a cell's attachments, and the bytes left for other cells.

    `picture` tells which pictures are allowed. All other attachments are left out.

    Parameters
    ----------
    found
        A cell's attachments, which are untrusted and may be any object.
    room
        The number of bytes that the pictures may have. The returned number is `room` minus the size
        of the pictures.
    """
    kept: dict[str, dict[str, str]] = {}
    for name, data in found.items() if isinstance(found, Mapping) else ():
        if not (isinstance(name, str) and _NAME.fullmatch(name)):
            continue
        for kind, content in data.items() if isinstance(data, Mapping) else ():
            text = picture(kind, content, room)
            if text:
                kept[name] = {kind: text}
                room -= len(text)
                break
    return kept, room


def lost_pictures(cells: Iterable[object]) -> str:
    """Return a sentence on the pictures in text cells that are not allowed; "" if there are none.

    Parameters
    ----------
    cells
        The cells of a notebook, which are untrusted and may be any objects.
    """
    lost, room = [], ATTACHED_BYTES
    for cell in cells:
        found = cell.get("attachments") if isinstance(cell, Mapping) else None
        kept, room = attachments(found, room)
        if isinstance(found, Mapping):
            lost += [name for name in found if name not in kept]
    if not lost:
        return ""
    return _n(
        "A picture in a text cell cannot be shown to the person who grades it: {names}. Pictures "
        "must be {allowed}. Make it smaller or save it as JPEG, and paste it again.",
        "{count} pictures in text cells cannot be shown to the person who grades them: {names}. "
        "Pictures must be {allowed}. Make them smaller or save them as JPEG, and paste them again.",
        len(lost),
        names=listed(lost),
        allowed=_(
            "PNG, JPEG, GIF or WebP, at most {size} MB in the whole notebook",
            size=ATTACHED_BYTES * 3 // 4 // 1_000_000,
        ),
    )


def picture(kind: object, content: object, most: int) -> str:
    """Return a picture in base64, or "" if it is too large or its type is not allowed.

    Parameters
    ----------
    kind
        The MIME type.
    content
        The picture in base64, as a notebook has it; it is untrusted and may be any object.
    most
        The largest number of base64 bytes.

    Examples
    --------
    >>> picture("image/png", "iVBORw0KGgo=", 100)
    'iVBORw0KGgo='
    >>> picture("image/png", '" onerror="alert(1)', 100)
    ''
    """
    if isinstance(content, list) and all(isinstance(line, str) for line in content):
        content = "".join(content)
    if kind not in _PICTURES or not isinstance(content, str) or len(content) > most + most // 20:
        return ""
    text = content.replace("\n", "")
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return ""
    return text if len(text) <= most and _PICTURES[str(kind)].match(data) else ""


def outputs(found: Iterable[Any], room: int) -> tuple[list[dict[str, Any]], int]:
    """Return the harmless part of a cell's outputs, and the bytes left for other cells' outputs.

    Streams, the text of results, errors, and small pictures are kept. HTML is left out.

    Parameters
    ----------
    found
        Outputs in the form of nbformat, untrusted.
    room
        The number of bytes that the outputs may have. The returned number is `room` minus the size
        of the outputs.

    Examples
    --------
    >>> outputs([{"output_type": "display_data", "data": {"text/html": "<b>"}}], 100)
    ([], 100)
    >>> outputs([{"output_type": "stream", "name": "stdout", "text": "1" * 20}], 10)[0][0]["text"]
    '1111111111\\n... (cut)'
    """
    kept: list[dict[str, Any]] = []
    left = min(room, CELL_BYTES)
    for output in found:
        if room <= 0 or not isinstance(output, Mapping):
            continue
        made, text, image = _output(output, left, room)
        left -= text
        room -= text + image
        if made.get("name") and kept and kept[-1].get("name") == made["name"]:
            kept[-1]["text"] += made["text"]
        elif made:
            kept.append(made)
        if left <= 0:
            break
    return kept, room


def _output(output: Mapping[str, Any], left: int, room: int) -> tuple[dict[str, Any], int, int]:
    """Return the harmless part of an output (or {} if none), and its text's and picture's sizes.

    `left` limits the characters of the text, and `room` the bytes of the picture.
    """
    kind = output.get("output_type")
    if kind == "stream":
        name = "stderr" if output.get("name") == "stderr" else "stdout"
        text = clean(output.get("text"), left)
        return {"output_type": "stream", "name": name, "text": text}, len(text), 0
    if kind == "error":
        text = clean("\n".join(_lines(output.get("traceback"))), left)
        name = clean(output.get("ename"), NAME_CHARACTERS)
        value = clean(output.get("evalue"), ERROR_CHARACTERS)
        made = {"output_type": "error", "ename": name, "evalue": value}
        return made | {"traceback": text.split("\n")}, len(text), 0
    if kind in ("execute_result", "display_data"):
        data = output.get("data")
        content = data if isinstance(data, Mapping) else {}
        most, bundle, image = min(room, PICTURE_BYTES), {}, ""
        text = "".join(_lines(content.get("text/plain")))
        drawn = [key for key in content if isinstance(key, str) and key.startswith("image/")]
        for key in sorted(drawn, key=lambda key: key != "image/png"):
            if image := picture(key, content[key], most):
                bundle[key] = image
                break
        if drawn and not image:
            text += _not_drawn()
        text = clean(text, left)
        bundle |= {"text/plain": text} if text else {}
        # the type `execute_result` requires an execution number, and a number from the student's
        # kernel cannot be trusted, so use the type `display_data`
        shown = {"output_type": "display_data", "data": bundle, "metadata": {}}
        return shown if bundle else {}, len(text), len(image)
    return {}, 0, 0


def _lines(found: object) -> list[str]:
    lines = found if isinstance(found, list) else [found]
    return [line for line in lines if isinstance(line, str)]
