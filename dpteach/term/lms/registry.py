"""The table of learning management systems, and the recognition of their files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dpteach._language import catalog
from dpteach.term.lms import blackboard, canvas, moodle, plain
from dpteach.term.lms.system import System
from dpteach.term.lms.table import Table, TableError

_, _n = catalog("term")

#: the systems by the names that options take, in the order in which `system_of` tries them
SYSTEMS: Final = {
    one.name: one for one in (canvas.SYSTEM, blackboard.SYSTEM, moodle.SYSTEM, plain.SYSTEM)
}


def system_of(table: Table, forced: str | None = None) -> System:
    """Return the system that exported a roster, by the columns of the roster.

    Parameters
    ----------
    forced
        The name of the system that the user named, or None to try all.

    Raises
    ------
    dpteach.term.lms.table.TableError
        If the roster has the columns of no system, or not those of the named one.
    """
    asked = [SYSTEMS[forced]] if forced else list(SYSTEMS.values())
    for one in asked:
        if one.reads(table):
            return one
    needs = [(one, sorted(one.columns[name][0] for name in one.needs[0])) for one in asked]
    told = "; ".join(f"{one.title}: {', '.join(names)}" for one, names in needs)
    there = ", ".join(table.header)[:200]
    text = _("the header has the columns {there}, and a roster needs {all}", there=there, all=told)
    raise TableError(text)


def layout_of(paths: Sequence[str]) -> System:
    """Return the system that most file names of a download fit; plain if fewer than half fit.

    Examples
    --------
    >>> layout_of(["berganna_11_77_small.ipynb"]).name, layout_of(["anna/small.ipynb"]).name
    ('canvas', 'plain')
    """

    def share(name: str) -> float:
        found = sum(SYSTEMS[name].submitted(path) is not None for path in paths)
        return found / max(1, len(paths))

    best = max(("moodle", "blackboard", "canvas"), key=share)
    return SYSTEMS[best if share(best) >= 0.5 else "plain"]
