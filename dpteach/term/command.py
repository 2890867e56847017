"""``dpteach term``: the parser of its commands, which stand in modules of their own."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from typing import Any, Final

from dpteach._language import N_, catalog
from dpteach.grading.core.command import refusal
from dpteach.term.deciding import ERRORS, add_decision

_, _n = catalog("term")

#: for each command, its module and its description. A module has the functions `add_arguments`
#: and `run`, and is loaded only when one of its commands is used
COMMANDS: Final = {
    "roster": ("roster", N_("read the students of the term from an LMS's export")),
    "collect": ("collect", N_("put submissions downloaded from an LMS where they are graded")),
    "grades": ("sending", N_("write grades as a file that an LMS imports, with its own columns")),
    "feedback": ("sending", N_("write the feedback pages as the archive that an LMS takes back")),
    "add": ("decide_people", N_("add a student who joined late")),
    "withdraw": ("decide_people", N_("record that students withdrew: marks are kept")),
    "rejoin": ("decide_people", N_("record that students who withdrew take part again")),
    "due": ("decide_dates", N_("set when an assignment is due")),
    "extension": ("decide_dates", N_("give students more time")),
    "drop": ("decide_grades", N_("drop an item for all students")),
    "points": ("decide_grades", N_("change the points of an item, for all students")),
    "override": ("decide_grades", N_("decide a student's points")),
    "regrade": ("decide_grades", N_("record, list and settle requests to look at a grade again")),
    "solutions": ("decide_dates", N_("set when solutions may be released, or write them")),
    "final": ("final", N_("set the rule of the final grade, or write the final grades as CSV")),
    "undo": ("undo", N_("undo a decision whose grades have not gone out")),
}

#: the commands that require ``--why``, because the students' feedback shows the reason
REASONED: Final = frozenset({"drop", "points", "override"})


def add_parser(commands: Any, words: Sequence[str] = ()) -> None:
    """Add the command ``term`` with all its subcommands to the parser of ``dpteach``.

    Only the subcommand that is used gets its arguments, because that loads its module.

    Parameters
    ----------
    commands
        What argparse's ``add_subparsers`` returned.
    words
        The words after ``term``.
    """
    about = _("record what happens in a term, and exchange it with an LMS")
    command: argparse.ArgumentParser = commands.add_parser("term", help=about)
    inner = command.add_subparsers(dest="subcommand", required=True)
    used = next((word for word in words if not word.startswith("-")), None)
    for name, (module, text) in COMMANDS.items():
        one = inner.add_parser(name, help=_(text), description=_(text))
        if name == used:
            _module(module).add_arguments(one, name)
            if name != "regrade":  # its actions add their own options
                add_decision(one, reason=name in REASONED)


def run(told: argparse.Namespace) -> int:
    """Run the subcommand of ``dpteach term`` that was chosen; return its exit code."""
    try:
        code: int = _module(COMMANDS[told.subcommand][0]).run(told)
    except ERRORS as error:
        return refusal(f"term {told.subcommand}", error)
    return code


def _module(name: str) -> Any:
    return importlib.import_module(f"dpteach.term.{name}")
