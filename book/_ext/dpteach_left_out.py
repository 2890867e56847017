"""A Sphinx extension for a book with only some chapters: links to missing chapters become text.

The table of contents decides which pages a book has. A reference to another page of this
repository, or to a section, theorem, figure, equation or exercise on such a page, becomes plain
text: the reference's own text if it has one, otherwise the name of the page. A reference that no
page of the repository can resolve stays an error.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

#: matches the label of a section, directive, equation or figure in the source of a page
_LABEL = re.compile(
    r"^\(([\w-]+)\)=$|^:(?:label|name): *([\w-]+)|^ +name: ([\w-]+)$|^\$\$ *\(([\w-]+)\)|"
    r"^```\{(?:exercise|solution)(?:-start)?\} *([\w-]+)$|\$\$ \(([\w-]+)\)$",
    re.MULTILINE,
)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_post_transform(NameWhatIsLeftOut)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


@functools.cache
def left_out(folder: Path, pages: frozenset[str]) -> dict[str, str]:
    """Map the name of each page that a book leaves out, and each label on it, to the page's title.

    Parameters
    ----------
    folder
        The folder of the project.
    pages
        The pages of the book.
    """
    found: dict[str, str] = {}
    for path in sorted((folder / "book").rglob("*.md")):
        page = path.relative_to(folder).with_suffix("").as_posix()
        if page in pages or "node_modules" in path.parts:
            continue
        text = path.read_text("utf-8")
        title = _TITLE.search(text)
        name = title[1].partition(":")[0] if title else path.stem
        found[page] = name
        for label in _LABEL.finditer(text):
            found[next(filter(None, label.groups())).lower()] = name
    return found


class NameWhatIsLeftOut(SphinxPostTransform):
    """A transform that turns links to pages that the book leaves out into plain text.

    It runs before Sphinx's own transforms, which would warn of the missing targets.
    """

    default_priority = 7

    def run(self, **kwargs: Any) -> None:
        known = left_out(Path(self.env.srcdir), frozenset(self.env.found_docs))
        if not known:
            return
        for link in list(self.document.findall(addnodes.pending_xref)):
            name = known.get(link["reftarget"]) or known.get(link["reftarget"].lower())
            if name is not None and link["reftype"] != "term":
                told = link.children if link.get("refexplicit") else [nodes.Text(name)]
                link.replace_self(nodes.inline("", "", *told))
