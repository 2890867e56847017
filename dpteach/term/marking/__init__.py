"""A page for marking written answers by hand, beside the formgrader, in an instructor's JupyterLab.

The page is an extension of Jupyter's server, which ``make teach`` enables (`dpteach.serve`) at the
address ``/dpteach/marking``. `handlers` answers the requests of the page. The HTML of the page is a
template of the package ``term``; its script and its style are in the folder ``page``. For each
assignment, a `desk` decides what a marker sees and may do. A desk uses three modules: `answers`
reads the answers from the results of grading. `marks` reads and writes marks in nbgrader's
gradebook, and in a record of who gave which mark. `piles` computes from the record who marks which
answer, and compares the marks of two people.
"""

from __future__ import annotations

from typing import Any


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    """Return this module's name to Jupyter's server, which calls this to find extensions."""
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    """Add the marking page to Jupyter's server, which calls this function when it starts."""
    from dpteach.term.marking.handlers import add_handlers

    add_handlers(server)
