"""A page for marking written answers by hand, beside the formgrader, in an instructor's JupyterLab.

It is an extension of Jupyter's server, which ``make teach`` enables (`dpteach.serve`) under the
address ``/dpteach/marking``. `handlers` answers its requests; the page is a template of the package
``term``, and its script and style lie in the folder ``page``. A `desk` shows the answers of one
assignment: `answers` reads them from the results of grading, `marks` reads and writes nbgrader's
gradebook, `record` keeps who marked what, from which `piles` finds who marks which answer, and
`agreement` compares the marks of two people.
"""

from __future__ import annotations

from typing import Any


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    from dpteach.term.marking.handlers import add_handlers

    add_handlers(server)
