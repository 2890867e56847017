"""``dpteach term``: the commands for what happens in a term, each in a module of its own."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from typing import Any, Final

from dpteach._language import N_, catalog

_, _n = catalog("term")

#: the commands: the module of each, which has `add_parser` and `run` and is loaded when the command
#: is used, and what the command does
COMMANDS: Final = {
    "roster": ("dpteach.term.roster", N_("read the students of the term from an LMS's export")),
    "collect": (
        "dpteach.term.collect",
        N_("put the submissions that an LMS lets you download where they are graded"),
    ),
    "grades": ("dpteach.term.sending", N_("write grades as the file that an LMS imports")),
    "feedback": (
        "dpteach.term.sending",
        N_("write the feedback pages as the archive that an LMS takes back"),
    ),
    "add": ("dpteach.term.decide_people", N_("add a student who joined late")),
    "withdraw": ("dpteach.term.decide_people", N_("record that students withdrew")),
    "rejoin": ("dpteach.term.decide_people", N_("record that students take part again")),
    "due": ("dpteach.term.decide_dates", N_("set when an assignment is due")),
    "extension": ("dpteach.term.decide_dates", N_("give students more time")),
    "drop": ("dpteach.term.decide_grades", N_("drop an item for all students")),
    "points": ("dpteach.term.decide_grades", N_("change the points of an item")),
    "override": ("dpteach.term.decide_grades", N_("decide a student's points")),
    "regrade": ("dpteach.term.decide_grades", N_("record and settle requests to grade again")),
    "solutions": ("dpteach.term.solutions", N_("release solutions after a date")),
    "final": ("dpteach.term.final", N_("set the rule of the final grade, or write the grades")),
    "undo": ("dpteach.term.undo", N_("undo a decision whose grades have not gone out")),
}


def add_parser(commands: Any, words: Sequence[str] = ()) -> None:
    """Add the command ``term``; of its own commands, all but the one that is used are only named.

    Parameters
    ----------
    commands
        What argparse's ``add_subparsers`` returned.
    words
        The words after ``term``.
    """
    command: argparse.ArgumentParser = commands.add_parser(
        "term", help=_("record what happens in a term, and exchange it with an LMS")
    )
    inner = command.add_subparsers(dest="subcommand", required=True)
    used = next((word for word in words if not word.startswith("-")), None)
    if used in COMMANDS:  # its module may add other commands, too
        importlib.import_module(COMMANDS[used][0]).add_parser(inner)
    for name, (__, about) in COMMANDS.items():
        if name not in inner.choices:
            inner.add_parser(name, help=_(about))


def run(told: argparse.Namespace) -> int:
    """Run the command that was chosen; return its exit code."""
    code: int = importlib.import_module(COMMANDS[told.subcommand][0]).run(told)
    return code
