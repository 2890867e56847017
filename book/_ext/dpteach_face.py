"""What the pages look like, from their own host and light: fonts, icons, sizes of pictures.

Text and code fonts are copied from npm; the font of formulas is cut to the signs that the pages
use. The theme's icons, a script of more than a megabyte, become a few lines of SVG in the page.
"""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from logging import WARNING, getLogger
from pathlib import Path
from typing import Any

from docutils import nodes
from dpteach_execute import PREVIEW
from sphinx.application import Sphinx
from sphinx.util import logging

LOG = logging.getLogger(__name__)

FONTS = Path(__file__).parents[1] / "node_modules" / "@fontsource"
MATH = FONTS / "stix-two-math" / "files" / "stix-two-math-latin-400-normal.woff2"
#: the files that `fonts.css` names; a page fetches those whose signs it has
TEXT = [
    *(
        f"stix-two-text-{script}-{weight}-{style}.woff2"
        for script in ("latin", "greek")
        for weight, style in ((400, "normal"), (400, "italic"), (600, "normal"))
    ),
    *(f"source-code-pro-{script}-400-normal.woff2" for script in ("latin", "greek")),
]
#: letters, which MathML slants by itself, and the root's sign, which it draws by itself
LETTERS = {
    *range(0x20, 0x7F),
    *range(0x391, 0x3CA),
    *range(0x1D434, 0x1D468),
    0x210E,
    *range(0x1D6E2, 0x1D71C),
    0x221A,
}


#: Where the browser keeps nothing, in a sandboxed frame or without cookies, asking for its storage
#: is an error that ends the script which asks. There the page remembers instead, while it is open.
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


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", prepare)
    app.connect("html-page-context", leave_out, priority=900)
    app.connect("doctree-read", set_proofs)
    app.connect("doctree-resolved", without_numbers)
    # the theme writes some of its style sheets at the end of the build
    app.connect("build-finished", finish, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def prepare(app: Sphinx) -> None:
    if app.builder.format == "html":
        for file in ("fonts.css", "course.css"):
            app.add_css_file(file)
        app.add_js_file("course.js", loading_method="defer")


def set_proofs(app: Sphinx, doctree: nodes.document) -> None:
    """Emphasize the word "Proof."; tell parts apart to which sphinx-proof gives one name."""
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
    """Leave out the numbers of a bibliography whose entries are cited by author and year."""
    for entry in list(doctree.findall(nodes.citation)):
        for label in list(entry.findall(nodes.label)):
            entry.remove(label)


def leave_out(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Drop the scripts and styles that a page has no use for; let all work without storage."""
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
    """Where a script or style sheet lies, and its text if it stands in the page."""
    return f"{file} {getattr(file, 'attributes', {}).get('body', '')}".lower()


def finish(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    out = Path(app.outdir).resolve()
    for stale in (out / "_static").glob(BUNDLES):
        stale.unlink()
    signs = set(LETTERS) | {ord("√")}  # drawn by msqrt, and in no formula's text
    for path in out.rglob("*.html"):
        if path.is_relative_to(out / "_static"):
            continue
        page = path.read_text("utf-8")
        for formula in re.findall(r"<math\b.*?</math>", page, re.DOTALL):
            signs.update(map(ord, html.unescape(re.sub(r"<[^>]*>", "", formula))))
        # what unfolds a cell is called by the words that it shows
        named = page.replace('<summary aria-label="Toggle hidden content">', "<summary>")
        finished = with_one_style_sheet(sized(with_icons(named), path), path, out)
        if finished != page:
            path.write_text(finished, "utf-8")
    bundle.cache_clear()
    if PREVIEW not in os.environ:  # nobody loads it over a slow line
        purge_styles(out)
    copy_fonts(out / "_static" / "fonts", signs)


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
    if PREVIEW in os.environ:  # nobody loads it over a slow line, and cutting takes seconds
        shutil.copyfile(MATH, target)
    else:
        cut(MATH, target, signs)


def cut(source: Path, target: Path, signs: set[int]) -> None:
    """The font with these signs, and all that formulas make of them: scripts, large brackets."""
    from fontTools import subset

    # its hundred lines would bury the error for which a build has failed
    getLogger("fontTools").setLevel(WARNING)
    options = subset.Options(flavor="woff2", layout_features=["*"], hinting=False)
    with subset.load_font(str(source), options) as font:
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=signs)
        cutter.subset(font)
        # a fraction in a line of text stands apart more than the line has room for
        constants = font["MATH"].table.MathConstants
        constants.FractionNumeratorShiftUp.Value = 480
        constants.FractionDenominatorShiftDown.Value = 450
        if ord("√") in signs:
            add_roots(font)
        subset.save_font(font, str(target), options)


#: how much taller than the first sign of a root those are that stand between it and the second
ROOTS = (1.15, 1.35)


def add_roots(font: Any) -> None:
    """Signs of roots between the first and the second of the font, which is 1.6 times as tall: a
    browser takes the next that is tall enough, and one that is too tall reaches into the next line.
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

#: drawn on 16 by 16, in lines; by the theme's names
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
ICON_SCRIPT = re.compile(r'\s*<script[^>]*src="[^"]*fontawesome\.js[^"]*"[^>]*></script>')


class Icons(HTMLParser):
    """The empty elements of a page that are signs of an icon font, of whatever kind they are.

    Attributes
    ----------
    found
        Where each begins and ends, and its attributes.
    """

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[tuple[int, int, dict[str, str]]] = []
        self._lines = [0, *(match.end() for match in re.finditer("\n", page))]
        self.feed(page)

    def _place(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag != "svg" and any(map(is_of_icon_font, attributes.get("class", "").split())):
            end = self._place() + len(self.get_starttag_text() or "")
            close = re.compile(rf"\s*</{tag}\s*>").match(self.rawdata, end)
            self.found.append((self._place(), close.end() if close else end, attributes))


def is_of_icon_font(word: str) -> bool:
    """Whether a class is one of Font Awesome's.

    >>> [is_of_icon_font(word) for word in ("fas", "fa-solid", "fa-bars", "fact")]
    [True, True, True, False]
    """
    return word in ("fa", "fas", "far", "fab") or word.startswith("fa-")


def with_icons(page: str) -> str:
    """The page with its icons drawn, and without the script that would draw them."""
    parts, last = [], 0
    for begin, end, attributes in Icons(page).found:
        parts += [page[last:begin], drawn(attributes)]
        last = end
    return ICON_SCRIPT.sub("", "".join([*parts, page[last:]]))


def drawn(attributes: dict[str, str]) -> str:
    """The drawing of an icon, with the attributes of the element in whose place it stands."""
    words = attributes.pop("class").split()
    names = [word.removeprefix("fa-") for word in words if word.removeprefix("fa-") in ICONS]
    if not names:
        LOG.warning("no icon is drawn for %s: dpteach_face.ICONS", " ".join(words))
    kept = ["icon", *(word for word in words if not is_of_icon_font(word))]
    told = {"class": " ".join(kept), "viewBox": "0 0 16 16", "aria-hidden": "true"} | attributes
    text = " ".join(f'{name}="{html.escape(value)}"' for name, value in told.items())
    return f"<svg {text}>{ICONS.get(names[0], '') if names else ''}</svg>"


# --- style sheets and scripts ----------------------------------------------------------------

STYLE = re.compile(r'[ \t]*<link\b[^>]*\bhref="([^"?]+\.css)[^"]*"[^>]*>\n?')
IMPORT = re.compile(r'@import (?:url\()?"([^"]+)"\)?;')
ADDRESS = re.compile(r"url\((?!['\"]?(?:data:|#))['\"]?([^'\")]+)['\"]?\)")
#: the icons of the theme, which are drawn in the page, and their font
ICON_STYLES = re.compile(r"@font-face\{[^}]*Font Awesome[^}]*\}|[^{}]*\.fa-[^{}]*\{[^{}]*\}")
#: what the theme draws before and after elements by signs of that font
ICON_SIGNS = re.compile(r'(?:--pst-icon-[\w-]+|content):\s*"(?:\\f[0-9a-f]{3}|[\ue000-\uf8ff])";?')
#: the style sheets of pages, each made of several
BUNDLES = "book-*.css"
#: Sphinx's own search; `search.js` is that of the book
SEARCH = re.compile(
    r'\s*<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^>]*></script>'
)
#: two curves that cross; without it a browser asks for one that is not there
FAVICON = (
    '<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 '
    "viewBox=%220 0 16 16%22 fill=%22none%22 stroke-width=%222%22%3E%3Cpath stroke=%22%230072b2%22 "
    "d=%22M1 14C6 14 5 3 8 3s2 11 7 11%22/%3E%3Cpath stroke=%22%23d55e00%22 "
    'd=%22M1 14C9 14 8 3 11 3s1 11 4 11%22/%3E%3C/svg%3E">\n'
)
#: fetched before the style sheet asks for them, from a host (a file has no need, and may not):
#: a line that a late font breaks elsewhere moves all below it
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


def with_one_style_sheet(page: str, path: Path, out: Path) -> str:
    """The page with its style sheets made one, and without the scripts of the search."""
    page = SEARCH.sub("", page)
    links = list(STYLE.finditer(page))
    if not links:
        return page
    sheets = [(path.parent / link[1]).resolve() for link in links]
    name = bundle(tuple(sheets), out)
    where = os.path.relpath(out / "_static", path.parent)
    fonts = FAVICON + EARLY_SCRIPT.format(where=f"{where}/fonts/", names=json.dumps(EARLY))
    head = page[: links[0].start()] + f'{fonts}<link rel="stylesheet" href="{where}/{name}">\n'
    return head + STYLE.sub("", page[links[0].end() :])


@cache
def bundle(sheets: tuple[Path, ...], out: Path) -> str:
    """The name of the file that has all these style sheets."""
    text = "\n".join(style_sheet(sheet, out) for sheet in sheets)
    name = named_by_content(text)
    (out / "_static" / name).write_text(text, "utf-8")
    return name


def purge_styles(out: Path) -> None:
    """Drop the rules that no page uses from the bundled style sheets; rename them by content.

    Most rules come from the theme and from Bootstrap, and the book uses a third of them.
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
    """Return a file name for a style sheet that changes whenever the style sheet changes."""
    return f"book-{hashlib.sha256(text.encode()).hexdigest()[:12]}.css"


def style_sheet(path: Path, out: Path) -> str:
    """A style sheet with what it imports, and addresses as seen from `_static`."""
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

PICTURE = re.compile(r'<img\b(?![^>]*\bwidth=)[^>]*?\bsrc="([^"]+\.svg)"[^>]*?/?>')
SIZE = re.compile(r'<svg [^>]*?\bviewBox="0 0 ([\d.]+) ([\d.]+)"')
#: a point in pixels
POINT = 4 / 3


def sized(page: str, path: Path) -> str:
    """The page with the sizes of its pictures, so that nothing moves when they come.

    The first is fetched at once, the others when the reader comes near them.
    """
    first = True

    def measured(match: re.Match[str]) -> str:
        nonlocal first
        file = path.parent / match[1].partition("?")[0]
        found = SIZE.search(file.read_text("utf-8")[:2000]) if file.is_file() else None
        if found is None:
            return match[0]
        width, height = (round(float(side) * POINT) for side in found.groups())
        when = "" if first else ' loading="lazy"'
        first = False
        size = f'width="{width}" height="{height}"'
        picture = f"{match[0].rstrip('/>').rstrip()} {size}{when}>"
        if "dpteach-explorer" in match[0]:  # has its own place and script
            return picture
        return f'<span class="figure-scroll" style="--width: {width}">{picture}</span>'

    return PICTURE.sub(measured, page)
