"""A Sphinx extension that makes pages small by replacing the theme's fonts, icons and styles.

It changes the finished pages, and parses each page only once. The fonts for text and code are
copied from npm packages; the font of formulas is reduced to the characters in use. The theme's
icon script of more than a megabyte is replaced by a few lines of SVG in the page. The extension
also sets the sizes of pictures.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from itertools import zip_longest
from logging import WARNING, getLogger
from pathlib import Path
from typing import Any

import soupsieve
from bs4 import BeautifulSoup, Tag
from bs4.dammit import EntitySubstitution
from bs4.formatter import HTMLFormatter
from docutils import nodes
from dpteach_execute import PREVIEW
from sphinx.application import Sphinx
from sphinx.util import logging

from dpteach._language import of_script

LOG = logging.getLogger(__name__)

FONTS = Path(__file__).parents[1] / "node_modules" / "@fontsource"
MATH = FONTS / "stix-two-math" / "files" / "stix-two-math-latin-400-normal.woff2"
#: the font files for text; `fonts.css` says which characters each file has, so that a browser
#: loads only the files that a page needs
TEXT = [
    *(
        f"stix-two-text-{script}-{weight}-{style}.woff2"
        for script in ("latin", "greek")
        for weight, style in ((400, "normal"), (400, "italic"), (600, "normal"))
    ),
    *(f"source-code-pro-{script}-400-normal.woff2" for script in ("latin", "greek")),
]
#: characters that the font of formulas needs even if no page contains them: italic letters, which
#: browsers draw for single letters in MathML, and the root sign, which they draw for the element
#: msqrt
LETTERS = {
    *range(0x20, 0x7F),
    *range(0x391, 0x3CA),
    *range(0x1D434, 0x1D468),
    0x210E,
    *range(0x1D6E2, 0x1D71C),
    0x221A,
}


#: a script for browsers that refuse storage, as in a sandboxed frame or without cookies. In such a
#: browser any access to localStorage raises an error, which would end the script that tries it.
#: This script replaces localStorage and sessionStorage by objects that keep values only while the
#: page is open
STORAGE = """
for (const name of ["localStorage", "sessionStorage"]) {
  try {
    window[name].setItem("dpteach", "");
    window[name].removeItem("dpteach");
  } catch {
    const kept = new Map();
    const value = {
      getItem: (key) => kept.get(String(key)) ?? null,
      setItem: (key, text) => void kept.set(String(key), String(text)),
      removeItem: (key) => void kept.delete(String(key)),
    };
    Object.defineProperty(window, name, { value, configurable: true });
  }
}
"""


#: the scripts in ``book/_static`` that contain messages for readers, which may be translated
SCRIPTS = ("course.js", "questions.js", "search.js")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", prepare)
    app.connect("html-page-context", leave_out, priority=900)
    app.connect("doctree-read", set_proofs)
    app.connect("doctree-resolved", without_numbers)
    # a high priority number runs `finish` last, because the theme writes some style sheets at the
    # end of the build
    app.connect("build-finished", finish, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def prepare(app: Sphinx) -> None:
    if app.builder.format == "html":
        for file in ("fonts.css", "course.css"):
            app.add_css_file(file)
        static = Path(__file__).parents[1] / "_static"
        messages: dict[str, str] = {}
        for name in SCRIPTS:
            messages |= of_script("book", (static / name).read_text("utf-8"))
        if messages:
            told = json.dumps(messages, ensure_ascii=False).replace("<", "\\u003c")
            app.add_js_file(None, body=f"globalThis.bookMessages = {told};", priority=400)
        # a low priority number loads messages.js before the other scripts, because they call its
        # function for messages
        app.add_js_file("messages.js", loading_method="defer", priority=450)
        app.add_js_file("course.js", loading_method="defer")


def set_proofs(app: Sphinx, doctree: nodes.document) -> None:
    """Set the word "Proof." in italics, and make the ids of proofs unique on a page."""
    for i, node in enumerate(doctree.findall(nodes.Element)):
        if node["ids"] in (["proof"], ["proof-content"]):
            node["ids"] = [f"{node['ids'][0]}-{i}"]
    for proof in doctree.findall(nodes.admonition):
        if proof["classes"] != ["proof", "proof"] or not isinstance(proof[0], nodes.paragraph):
            continue
        first = proof[0][0]
        word, _, rest = first.astext().partition(" ")
        if isinstance(first, nodes.Text) and word == "Proof.":
            proof[0].replace(first, [nodes.emphasis("", word), nodes.Text(f" {rest}")])


def without_numbers(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Remove the numbers from the bibliography, because citations give author and year."""
    for entry in list(doctree.findall(nodes.citation)):
        for label in list(entry.findall(nodes.label)):
            entry.remove(label)


def leave_out(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Remove scripts and styles that a page does not use.

    Also add the script `STORAGE`, for browsers that refuse to store data.
    """
    context["metatags"] = f"{context.get('metatags', '')}\n<script>{STORAGE}</script>"
    if pagename == "search":
        app.add_js_file("search.js", loading_method="defer")
    unused = ["thebe"]
    has = doctree.findall if isinstance(doctree, nodes.document) else lambda kind: iter(())
    if not any(has(nodes.literal_block)):
        unused += ["copybutton", "clipboard"]
    if not any("sd-tab-set" in node["classes"] for node in has(nodes.Element)):
        unused += ["design-tabs", "sd-tabs"]
    for kind in ("script_files", "css_files"):
        context[kind] = [
            file
            for file in context.get(kind, ())
            if not any(word in described(file) for word in unused)
            or (kind == "css_files" and "thebe" not in described(file))
        ]


def described(file: Any) -> str:
    """Return the path and the inline text of a script or style sheet as one lower-case string."""
    return f"{file} {getattr(file, 'attributes', {}).get('body', '')}".lower()


def finish(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    out = Path(app.outdir).resolve()
    for stale in (out / "_static").glob(BUNDLES):
        stale.unlink()
    # the characters that the font of formulas must keep include the root sign, because browsers
    # draw it for the element msqrt, although the text of a page does not contain it
    signs = set(LETTERS) | {ord("√")}
    for path in out.rglob("*.html"):
        if path.is_relative_to(out / "_static"):
            continue
        page = BeautifulSoup(path.read_text("utf-8"), "html.parser")
        mend(page)
        draw_icons(page)
        size_pictures(page, path.parent)
        join_style_sheets(page, path.parent, out)
        for formula in page.find_all("math"):
            signs.update(map(ord, formula.get_text()))
        path.write_text(page.decode(formatter=FORMATTER), "utf-8")
    bundle.cache_clear()
    # in a preview, keep the CSS rules that no page uses: a preview is read locally, where large
    # style sheets cost no time
    if PREVIEW not in os.environ:
        purge_styles(out)
    copy_fonts(out / "_static" / "fonts", signs)


class AsItStood(HTMLFormatter):
    """An HTML formatter that keeps the order of attributes, and writes empty ones by name only."""

    def __init__(self) -> None:
        super().__init__(
            entity_substitution=EntitySubstitution.substitute_xml, void_element_close_prefix=""
        )

    def attributes(self, tag: Tag) -> Iterable[tuple[str, Any]]:
        # html.parser changes "viewBox" to lower case, but browsers need the capital letter
        names = {"viewbox": "viewBox"}
        return [(names.get(name, name), value or None) for name, value in tag.attrs.items()]


FORMATTER = AsItStood()


# --- repairs of the markup of the theme and the bibliography -----------------------------------

#: positions at which a line may break in a long name or call, such as after an underscore or dot
BREAK = re.compile(r"(?<=[\w)\]])([_(=,]|\.(?!\d))(?=\w)")


def among(page: Tag, name: str | list[str], selector: str) -> list[Tag]:
    """Return the elements of a page that have a tag name and match a CSS selector.

    The selector is tried only on elements with this name, because a page has thousands of elements
    with other names.
    """
    return soupsieve.filter(selector, page.find_all(name))


def mend(page: BeautifulSoup) -> None:
    """Repair the markup of theme and bibliography for assistive technology and small screens."""
    # give the arrow that unfolds a list of pages a name for screen readers, from the text of the
    # link before the arrow
    unnamed = "a.reference.internal + details > :not([aria-label])"
    for arrow in among(page, "summary", unnamed):
        link = arrow.find_previous("a")
        arrow["aria-label"] = f"Pages of {link.get_text() if link else ''}"
    # remove the label of the control that unfolds a cell, so that screen readers read its visible
    # text
    for arrow in among(page, "summary", '[aria-label="Toggle hidden content"]'):
        del arrow["aria-label"]
    # the theme gives the bibliography the role of a list, so its entries must be list items
    for entry in among(page, "div", '.citation[role="doc-biblioentry"]'):
        entry["role"] = "listitem"
    # remove attributes that would replace the visible text of a button for screen readers
    for named in among(page, ["button", "i"], "button.search-button-field, i.theme-switch"):
        for attribute in {"title", "aria-label"} & set(named.attrs):
            del named[attribute]
    for code in among(page, "span", '[class="pre"]'):
        if code.string and re.fullmatch(r"[\w.,=()\[\]]+", code.string):
            first, *rest = BREAK.sub("\\1\n", code.string).split("\n")
            code.string = first
            for part in rest:
                code.extend([page.new_tag("wbr"), part])
    # the title of the front page would be "Title — Title", so keep only one of the two
    if page.title and (twice := re.fullmatch(r"(.*) — \1", page.title.get_text())):
        page.title.string = twice[1]
    # set a color theme for browsers without scripts: with "auto", the page would mix dark and
    # light
    for whole in among(page, "html", '[data-theme="auto"]'):
        whole["data-theme"] = "light"
    label_cards(page)


def label_cards(page: BeautifulSoup) -> None:
    """Add the column heading to each cell of a table if phones show the table's rows as cards."""
    items = [summary.find_next("table") for summary in page.find_all("summary", string="Items")]
    for table in (*among(page, "table", ".cards"), *items):
        assert isinstance(table, Tag)
        heads = [head.get_text().strip() for head in table.find_all("th")]
        for row in table.find_all("tr"):
            for cell, head in zip_longest(row.find_all("td"), heads, fillvalue=""):
                if isinstance(cell, Tag):
                    cell["data-label"] = head


# --- fonts -----------------------------------------------------------------------------------


def copy_fonts(folder: Path, signs: set[int]) -> None:
    if not FONTS.is_dir():
        LOG.warning("book/node_modules has no fonts: `make book` fetches them")
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name in TEXT:
        family = re.match(r"(.*?)-(?:latin|greek)", name)
        assert family
        shutil.copyfile(FONTS / family[1] / "files" / name, folder / name)
    for family in ("stix-two-text", "stix-two-math", "source-code-pro"):
        shutil.copyfile(FONTS / family / "LICENSE", folder / f"{family}-LICENSE.txt")
    target = folder / "stix-two-math.woff2"
    if PREVIEW in os.environ:  # a preview is read locally, and reducing the font takes seconds
        shutil.copyfile(MATH, target)
    else:
        cut(MATH, target, signs)


def cut(source: Path, target: Path, signs: set[int]) -> None:
    """Copy a font, but keep only the given characters and their variants for formulas."""
    from fontTools import subset

    # fontTools would log about a hundred lines, among which an error message is hard to find
    getLogger("fontTools").setLevel(WARNING)
    options = subset.Options(flavor="woff2", layout_features=["*"], hinting=False)
    with subset.load_font(str(source), options) as font:
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=signs)
        cutter.subset(font)
        # reduce the distance between numerator and denominator, so that a fraction fits into a
        # line of text
        constants = font["MATH"].table.MathConstants
        constants.FractionNumeratorShiftUp.Value = 480
        constants.FractionDenominatorShiftDown.Value = 450
        if ord("√") in signs:
            add_roots(font)
        subset.save_font(font, str(target), options)


#: the heights of the root signs to add, as multiples of the font's smallest root sign
ROOTS = (1.15, 1.35)


def add_roots(font: Any) -> None:
    """Add root signs with heights between those of the font's smallest and next root sign.

    The font's next root sign is 1.6 times as tall as its smallest. A browser takes the smallest
    sign that is tall enough for a formula. Without the additions, that would often be the next
    sign, which is so tall that it overlaps the next line of text.
    """
    from fontTools.pens.transformPen import TransformPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib.tables.otTables import MathGlyphVariantRecord

    glyphs, first = font.getGlyphSet(), font.getBestCmap()[ord("√")]
    known = font["MATH"].table.MathVariants
    place = known.VertGlyphCoverage.glyphs.index(first)
    sizes = known.VertGlyphConstruction[place].MathGlyphVariantRecord
    height = sizes[0].AdvanceMeasurement
    for number, scale in enumerate(ROOTS, start=1):
        pen = TTGlyphPen(glyphs)
        glyphs[first].draw(TransformPen(pen, (1, 0, 0, scale, 0, 0)))
        name = f"{first}.{number}"
        font["glyf"][name], font["hmtx"][name] = pen.glyph(round=round), font["hmtx"][first]
        font["glyf"][name].recalcBounds(font["glyf"])
        size = MathGlyphVariantRecord()
        size.VariantGlyph, size.AdvanceMeasurement = name, round(scale * height)
        sizes.insert(number, size)
    known.VertGlyphConstruction[place].VariantCount = len(sizes)


# --- icons -----------------------------------------------------------------------------------

#: SVG line drawings of size 16 by 16, by the names of the theme's icons
ICONS = {
    "magnifying-glass": '<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 4 4"/>',
    "list": '<path d="M5.5 4H14M5.5 8H14M5.5 12H14M2 4h.01M2 8h.01M2 12h.01"/>',
    "sun": '<circle cx="8" cy="8" r="3"/><path d="M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1'
    'M11.9 11.9 13 13M3 13l1.1-1.1M11.9 4.1 13 3"/>',
    "moon": '<path d="M13.5 9.6A6 6 0 1 1 6.4 2.5a4.7 4.7 0 0 0 7.1 7.1z"/>',
    "circle-half-stroke": '<circle cx="8" cy="8" r="6"/><path fill="currentColor" d="M8 2a6 6 0 0 1'
    ' 0 12z"/>',
    "expand": '<path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10"/>',
    "chevron-down": '<path d="m3.5 6 4.5 4.5L12.5 6"/>',
    "bars": '<path d="M2 4h12M2 8h12M2 12h12"/>',
    "arrow-up": '<path d="M8 14V2.5M3.5 7 8 2.5 12.5 7"/>',
    "file-pdf": '<path d="M9 1.5H3.5v13h9V5zM9 1.5V5h3.5M5.5 9h5M5.5 11.5h5"/>',
    "file": '<path d="M9 1.5H3.5v13h9V5zM9 1.5V5h3.5"/>',
    "download": '<path d="M8 2v8.5M4 7l4 4 4-4M2.5 14h11"/>',
    "angle-right": '<path d="m6 3.5 4.5 4.5L6 12.5"/>',
    "angle-left": '<path d="M10 3.5 5.5 8l4.5 4.5"/>',
}


def is_of_icon_font(word: str) -> bool:
    """Return whether a class belongs to the icon font Font Awesome.

    >>> [is_of_icon_font(word) for word in ("fas", "fa-solid", "fa-bars", "fact")]
    [True, True, True, False]
    """
    return word in ("fa", "fas", "far", "fab") or word.startswith("fa-")


def draw_icons(page: BeautifulSoup) -> None:
    """Put a drawing in place of each element of a page that shows a character of the icon font."""
    for sign in page.select('[class*="fa"]'):
        if sign.name != "svg" and any(map(is_of_icon_font, sign["class"])):
            sign.replace_with(drawn(page, sign))


def drawn(page: BeautifulSoup, sign: Tag) -> Tag:
    """Return a drawing that can replace an icon's element, with the attributes of this element."""
    words = list(sign["class"])
    names = [word.removeprefix("fa-") for word in words if word.removeprefix("fa-") in ICONS]
    if not names:
        LOG.warning("no icon is drawn for %s: dpteach_face.ICONS", " ".join(words))
    kept = ["icon", *(word for word in words if not is_of_icon_font(word))]
    told = {"class": " ".join(kept), "viewBox": "0 0 16 16", "aria-hidden": "true"}
    rest = {name: value for name, value in sign.attrs.items() if name != "class"}
    svg = page.new_tag("svg", attrs=told | rest)
    if names:
        svg.append(BeautifulSoup(ICONS[names[0]], "html.parser"))
    return svg


# --- style sheets and scripts ----------------------------------------------------------------

STYLE = re.compile(r"[^?]+\.css")
IMPORT = re.compile(r'@import (?:url\()?"([^"]+)"\)?;')
ADDRESS = re.compile(r"url\((?!['\"]?(?:data:|#))['\"]?([^'\")]+)['\"]?\)")
#: the theme's styles for the icon font; they are removed, because drawings replace the icons
ICON_STYLES = re.compile(r"@font-face\{[^}]*Font Awesome[^}]*\}|[^{}]*\.fa-[^{}]*\{[^{}]*\}")
#: declarations by which the theme inserts characters of the icon font before and after elements
ICON_SIGNS = re.compile(r'(?:--pst-icon-[\w-]+|content):\s*"(?:\\f[0-9a-f]{3}|[\ue000-\uf8ff])";?')
#: a pattern for the names of files with joined style sheets
BUNDLES = "book-*.css"
#: scripts that no page needs: Sphinx's search (`search.js` replaces it) and the icon font's script
UNUSED = re.compile(r"(?:searchtools|language_data|searchindex|fontawesome)\.js")
#: the site's icon, two crossing curves; without an icon a browser would request a missing file
FAVICON = (
    '<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 '
    "viewBox=%220 0 16 16%22 fill=%22none%22 stroke-width=%222%22%3E%3Cpath stroke=%22%230072b2%22 "
    "d=%22M1 14C6 14 5 3 8 3s2 11 7 11%22/%3E%3Cpath stroke=%22%23d55e00%22 "
    'd=%22M1 14C9 14 8 3 11 3s1 11 4 11%22/%3E%3C/svg%3E">\n'
)
#: a script that loads fonts early, because a font that arrives late would change line breaks and
#: move the text below. It works only on a page from a web server, not on a local file
EARLY_SCRIPT = """<script>
if (location.protocol !== "file:") for (const name of {names}) {{
  const link = Object.assign(document.createElement("link"), {{
    rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href: `{where}${{name}}.woff2`,
  }});
  document.head.append(link);
}}
</script>
"""
EARLY = (
    "stix-two-text-latin-400-normal",
    "stix-two-text-latin-400-italic",
    "stix-two-text-latin-600-normal",
    "stix-two-math",
)


def join_style_sheets(page: BeautifulSoup, folder: Path, out: Path) -> None:
    """Join the style sheets of a page into one, and remove scripts that the page does not need.

    Also add the site's icon and the script that loads fonts early.
    """
    for script in page.find_all("script", src=UNUSED):
        script.decompose()
    links = page.find_all("link", href=STYLE)
    if not links:
        return
    found = (STYLE.match(str(link["href"])) for link in links)
    name = bundle(tuple((folder / match[0]).resolve() for match in found if match), out)
    where = os.path.relpath(out / "_static", folder)
    early = EARLY_SCRIPT.format(where=f"{where}/fonts/", names=json.dumps(EARLY))
    sheet = f'{FAVICON}{early}<link rel="stylesheet" href="{where}/{name}">'
    links[0].insert_before(BeautifulSoup(sheet, "html.parser"))
    for link in links:
        link.decompose()


@cache
def bundle(sheets: tuple[Path, ...], out: Path) -> str:
    """Write the given style sheets into one file in `_static`, and return the file's name."""
    text = "\n".join(style_sheet(sheet, out) for sheet in sheets)
    name = named_by_content(text)
    (out / "_static" / name).write_text(text, "utf-8")
    return name


def purge_styles(out: Path) -> None:
    """Remove the CSS rules that no page uses from the joined style sheets, and rename their files.

    Most rules come from the theme and from Bootstrap, and the book uses a third of them. A file's
    name contains a hash of its content, so it changes with the content.
    """
    node = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
    modules = FONTS.parent
    if node is None or not (modules / "purgecss").is_dir():
        LOG.warning("Node or book/node_modules is missing: `make book` fetches both")
        return
    static = out / "_static"
    pages = [path for path in out.rglob("*.html") if not path.is_relative_to(static)]
    content = [*pages, *static.glob("*.js"), *static.glob("scripts/*.js")]
    content += static.glob("explorers/*/first.svg")
    program = str(Path(__file__).with_name("styles.mjs"))
    for path in sorted(static.glob(BUNDLES)):
        subprocess.run([node, program, str(modules), str(path), *map(str, content)], check=True)
        name = named_by_content(path.read_text("utf-8"))
        path.rename(static / name)
        for page in pages:
            text = page.read_text("utf-8")
            if path.name in text:
                page.write_text(text.replace(path.name, name), "utf-8")


def named_by_content(text: str) -> str:
    """Return a file name for a style sheet with this text; the name contains a hash of the text."""
    return f"book-{hashlib.sha256(text.encode()).hexdigest()[:12]}.css"


def style_sheet(path: Path, out: Path) -> str:
    """Return the text of a style sheet and its imports, with addresses relative to `_static`."""
    text = path.read_text("utf-8")
    if path.name == "pydata-sphinx-theme.css":
        text = ICON_STYLES.sub("", text)
    text = ICON_SIGNS.sub("", text)

    def address(match: re.Match[str]) -> str:
        return f'url("{os.path.relpath(path.parent / match[1], out / "_static")}")'

    parts = IMPORT.split(text)
    parts[0::2] = [ADDRESS.sub(address, part) for part in parts[0::2]]
    parts[1::2] = [style_sheet((path.parent / part).resolve(), out) for part in parts[1::2]]
    return "".join(parts)


# --- pictures --------------------------------------------------------------------------------

SIZE = re.compile(r'<svg [^>]*?\bviewBox="0 0 ([\d.]+) ([\d.]+)"')
#: the number of CSS pixels in a typographic point
POINT = 4 / 3


def size_pictures(page: BeautifulSoup, folder: Path) -> None:
    """Set the sizes of a page's pictures, so that the text does not move when they load.

    The first picture is loaded at once. The other pictures are loaded when the reader comes near
    them.
    """
    first = True
    for picture in among(page, "img", '[src$=".svg"]:not([width])'):
        file = folder / str(picture["src"])
        found = SIZE.search(file.read_text("utf-8")[:2000]) if file.is_file() else None
        if found is None:
            continue
        width, height = (round(float(side) * POINT) for side in found.groups())
        picture.attrs |= {"width": str(width), "height": str(height)}
        if not first:
            picture["loading"] = "lazy"
        first = False
        # let a wide picture scroll on a narrow screen; an interactive figure already does so in an
        # element of its own
        if "dpteach-explorer" not in str(picture):
            style = {"class": "figure-scroll", "style": f"--width: {width}"}
            picture.wrap(page.new_tag("span", attrs=style))
