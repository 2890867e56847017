"""Checks in which the student finds mechanisms that violate their privacy claim, with proofs.

The notebook shows the mechanisms as code, and the declaration gives the exact distribution of each
mechanism on every possible table. A student submits a witness: two neighboring tables and an event
(a set of outcomes) for which the inequality of the claim fails. The judge computes from the
distributions whether a witness proves a violation. It runs no mechanism, so neither chance nor the
student's process influences the verdict. The build computes which mechanisms violate the claim.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from dpteach import _check
from dpteach._language import N_, catalog
from dpteach.grading.core.plain import decode, encode, reduce, shown
from dpteach.grading.core.specification import Part
from dpteach.grading.kinds import require
from dpteach.grading.kinds.declaration import FALSE_ALARM, Case, Declaration
from dpteach.grading.kinds.kind import Kind, each
from dpteach.grading.kinds.random.distributions import Categorical
from dpteach.grading.kinds.random.statistics import findings
from dpteach.grading.kinds.witness import judge

_, _n = catalog("kinds")

#: largest number of tables that a `WitnessCheck` may list as inputs of its mechanisms, and of
#: outcomes that it may list as their outputs
MAX_TABLES: Final = 300
MAX_OUTCOMES: Final = 12

#: the build compares the code of each mechanism with its declared distribution. It makes
#: `CODE_CALLS` calls on the first table, on the last, and on each of `CODE_TABLES` random tables
CODE_CALLS: Final = 2_000
CODE_TABLES: Final = 6


@dataclass(frozen=True)
class Exhibit:
    """A mechanism of a `WitnessCheck`: students must find out whether its privacy claim is true.

    Parameters
    ----------
    name
        The name of the mechanism. A cell of the notebook defines a function of this name, with a
        table and the keyword ``rng`` as arguments.
    law
        A function of a table that returns the probabilities of the outcomes: a list in the order of
        `WitnessCheck.outcomes`, or a dict in which outcomes of probability 0 may be missing.
    words
        A sentence on the fault of the mechanism, for students who did not find it; "" for a right
        mechanism.
    """

    name: str
    law: Callable[[Any], Mapping[Any, float] | Sequence[float]]
    words: str = ""

    def __post_init__(self) -> None:
        named = isinstance(self.name, str) and self.name.isidentifier()
        require.that(named, "name", _("must be the name of a function"), self.name)
        require.function("law", self.law)
        told = isinstance(self.words, str)
        require.that(told, "words", _("must be a string"), self.words, TypeError)


@dataclass(frozen=True, kw_only=True)
class WitnessCheck(Declaration):
    """A check in which a student finds mechanisms that violate their privacy claim, with proofs.

    The student's function gets the name of a mechanism. It returns None if the mechanism keeps its
    claim, and otherwise a witness ``[table, neighbor, event]``, where the event is a list of
    outcomes. The claim's inequality must fail for these two tables in this order and this event, by
    at least `MARGIN`. All wrong mechanisms are worth equal shares of the points: each wrong
    mechanism with such a witness earns its share, and each accusation of a right mechanism costs
    one share. The mechanisms are functions in the notebook, and not drawn at random. So all
    students in all terms get the same mechanisms, until an author replaces them.

    Parameters
    ----------
    name, points, call, builds_on, book
        As for `Check`; `call` is the student's function.
    visible
        One or more mechanisms as examples, for which the student's notebook judges the answer in
        full. For the mechanisms in `hidden`, the notebook judges only the form of the answer.
    hidden
        The mechanisms to judge: wrong mechanisms, and at least one right one. The build fails if a
        single witness proves more mechanisms wrong than there are right mechanisms, because a
        constant answer would then earn points.
    tables
        All possible tables, at most 300: lists of numbers or strings.
    neighbours
        A symmetric function of two tables that tells whether they are neighbors.
    outcomes
        All outcomes of the mechanisms, at most 12: different integers or different strings.
    epsilon, delta
        The claim: P(E) <= e^epsilon Q(E) + delta for the distributions P and Q on any two
        neighboring tables and for all events E.
    order
        For a claim of Rényi DP, which bounds the divergence of this order (> 1, or infinity) by
        `epsilon`. A witness is then ``[table, neighbor]``, and `delta` must be 0.

    Examples
    --------
    >>> def honest(table):
    ...     return {table[0]: 1.0}
    >>> def response(table):
    ...     return {table[0]: 0.7, 1 - table[0]: 0.3}
    >>> check = WitnessCheck(
    ...     name="faults", points=2, call="witness", tables=[[0], [1]], outcomes=[0, 1],
    ...     neighbours=lambda one, other: one != other, epsilon=1.0,
    ...     visible=[Exhibit("example", honest, "it tells the truth")],
    ...     hidden=[Exhibit("first", honest, "it tells the truth"), Exhibit("second", response)],
    ...     book="renyi_dp#x",
    ... )
    >>> check.delta
    0.0
    """

    _visible_kinds: ClassVar[tuple[type, ...]] = (Exhibit,)
    _hidden_kinds: ClassVar[tuple[type, ...]] = (Exhibit,)
    _refused: ClassVar[Mapping[str, str]] = {"mistakes": N_("words say what is wrong")}

    tables: Sequence[Any]
    neighbours: Callable[[Any, Any], bool]
    outcomes: Sequence[int | str]
    epsilon: float
    delta: float = 0.0
    order: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        require.function("neighbours", self.neighbours)
        for name, most in (("tables", MAX_TABLES), ("outcomes", MAX_OUTCOMES)):
            value = getattr(self, name)
            listed = isinstance(value, Sequence) and not isinstance(value, str)
            require.that(listed, name, _("must be a list"), value, TypeError)
            words = _("must hold 2 to {most} of them", most=most)
            require.that(2 <= len(value) <= most, name, words, value)
        Categorical(self.outcomes, [1.0] + [0.0] * (len(self.outcomes) - 1))
        plain = [reduce(table) for table in self.tables]
        lists = all(isinstance(table, list) for table in plain)
        require.that(lists, "tables", _("must hold lists"), plain, TypeError)
        differ = all(plain.count(table) == 1 for table in plain)
        require.that(differ, "tables", _("must differ from each other"), plain)
        require.number("epsilon", self.epsilon, _check.NON_NEGATIVE)
        require.number("delta", self.delta, require.BELOW_ONE)
        if self.order is not None:
            above = isinstance(self.order, (int, float)) and self.order > 1
            require.that(above, "order", _("must be > 1 or None"), self.order)
            require.that(not self.delta, "delta", _("must be 0 with an order"), self.delta)
        names = [exhibit.name for exhibit in (*self.visible, *self.hidden)]
        words = _("must differ between mechanisms")
        require.that(len(set(names)) == len(names), "name", words, names)
        require.that(self.hidden, "hidden", _("must hold the mechanisms to judge"), self.hidden)


def _part(check: WitnessCheck, about: Part[Any], rng: np.random.Generator) -> judge.WitnessPart:
    """Return the visible or the hidden part of a check.

    The visible part judges answers about the hidden mechanisms only by their form.

    Raises
    ------
    TypeError, ValueError
        If the distributions are malformed, a mechanism violates its claim by less than `MARGIN`, or
        a student could earn points by one witness for all mechanisms.
    """
    tables = [reduce(table) for table in check.tables]
    near = [[bool(check.neighbours(one, other)) for other in tables] for one in tables]
    symmetric = near == [list(column) for column in zip(*near, strict=True)]
    require.that(symmetric, "neighbours", _("must be symmetric"), check.neighbours)
    pairs = [(i, j) for i, row in enumerate(near) for j in range(len(row)) if row[j] and i != j]
    require.that(pairs, "neighbours", _("must hold for some two tables"), check.neighbours)
    part: judge.WitnessPart = {
        **about,
        "epsilon": float(check.epsilon),
        "delta": float(check.delta),
        "order": None if check.order is None else encode(float(check.order)),
        "outcomes": [reduce(outcome) for outcome in check.outcomes],
        # store lists as texts, because each number of a list would take a line in the file
        # checks.json
        "tables": json.dumps(tables),
        "pairs": json.dumps(pairs),
    }
    judged = [_case(part, check, exhibit, tables, pairs) for exhibit in check.hidden]
    _prove(part, judged, pairs)
    if about["hidden"]:
        return {**part, "cases": judged}
    cases = [_case(part, check, exhibit, tables, pairs) for exhibit in check.visible]
    cases += [{**one, "law": None, "wrong": None, "words": ""} for one in judged]
    return {**part, "cases": cases}


def _case(
    part: judge.WitnessPart,
    check: WitnessCheck,
    exhibit: Exhibit,
    tables: Sequence[Any],
    pairs: Sequence[tuple[int, int]],
) -> judge.WitnessCase:
    law = [_law(exhibit, table, check.outcomes) for table in tables]
    worst = max(judge.excess(part, law[i], law[j]) for i, j in pairs)
    wrong = worst >= judge.MARGIN
    words = _("must keep the claim, or break it by at least {margin:g}", margin=judge.MARGIN)
    require.that(wrong or worst <= judge.ROUNDING, f"law of {exhibit.name}", words, worst)
    if wrong:
        require.text("words", exhibit.words)
    return {
        "args": [exhibit.name],
        "kwargs": {},
        "words": exhibit.words,
        "law": json.dumps(law),
        "wrong": wrong,
        "mistakes": [],
    }


def _law(exhibit: Exhibit, table: Any, outcomes: Sequence[int | str]) -> list[float]:
    name = f"law of {exhibit.name}"
    found = Case(json.loads(json.dumps(table))).of(name, exhibit.law)
    if isinstance(found, Mapping):
        extra = sorted(set(found) - set(outcomes), key=str)
        require.returned(not extra, name, _("the declared outcomes only"), extra)
        found = [found.get(outcome, 0.0) for outcome in outcomes]
    masses = [float(mass) for mass in found]
    all_given = len(masses) == len(outcomes) and all(mass >= 0 for mass in masses)
    require.returned(all_given, name, _("a probability for each outcome"), masses)
    total = math.fsum(masses)
    words = _("probabilities with the sum 1 on {table}", table=shown(table))
    require.returned(math.isclose(total, 1.0, abs_tol=judge.ROUNDING), name, words, total)
    return masses


def _prove(
    part: judge.WitnessPart, cases: Sequence[judge.WitnessCase], pairs: Sequence[tuple[int, int]]
) -> None:
    """Raise an error if no mechanism is wrong, none is right, or a constant answer earns points."""
    wrong = [json.loads(case["law"] or "") for case in cases if case["wrong"]]
    right = len(cases) - len(wrong)
    if not wrong:
        raise ValueError(_("hidden must hold a wrong mechanism, but all are right"))
    if not right:
        raise ValueError(_("hidden must hold a right mechanism, but all are wrong"))
    found = max(_refuted_at_once(part, [(law[i], law[j]) for law in wrong]) for i, j in pairs)
    words = _("must hold as many right mechanisms as one witness proves wrong, {n}", n=found)
    require.that(found <= right, "hidden", words, right)


def _refuted_at_once(
    part: judge.WitnessPart, laws: Sequence[tuple[Sequence[float], Sequence[float]]]
) -> int:
    """Return the largest number of mechanisms that one witness with two given tables proves wrong.

    Parameters
    ----------
    laws
        For each mechanism, its distributions on the two tables.
    """
    if part["order"] is not None:
        return sum(judge.excess(part, p, q) >= judge.MARGIN for p, q in laws)
    gains = np.array([np.subtract(p, math.exp(part["epsilon"]) * np.asarray(q)) for p, q in laws])
    size = gains.shape[1]
    events = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
    broken = events @ gains.T - part["delta"] >= judge.MARGIN - judge.ROUNDING
    return int(broken.sum(axis=1).max())


def _prove_code(part: judge.WitnessPart, namespace: Mapping[str, Any]) -> None:
    """Raise an error if a mechanism's code in the notebook contradicts its declared distribution.

    Raises
    ------
    ValueError
        If a mechanism's function is missing, or its answers on some table do not have the declared
        distribution.
    """
    for case in part["cases"]:
        (name,) = case["args"]
        words = _("must be a function that a cell above the check defines")
        require.that(callable(namespace.get(name)), "name", words, name)
        if case["law"] is not None:
            _compare(part, json.loads(case["law"]), name, namespace[name])


def _compare(
    part: judge.WitnessPart, law: Sequence[Sequence[float]], name: str, code: Callable[..., Any]
) -> None:
    tables = json.loads(part["tables"])
    rng = np.random.default_rng(len(tables))
    for i in {0, len(tables) - 1, *rng.permutation(len(tables))[:CODE_TABLES].tolist()}:
        table = tables[i]
        # `decode` copies the table for each call, because the code may change it
        answers = [reduce(code(decode(table), rng=rng)) for _call in range(CODE_CALLS)]
        declared = Categorical(part["outcomes"], np.asarray(law[i]) / math.fsum(law[i]))
        finding = findings(answers, declared.to_data(), FALSE_ALARM)
        told = "" if finding is None else finding.words
        words = _("must be that of its code on {table}", table=shown(table))
        require.that(finding is None, f"law of {name}", words, told)


KIND = Kind(
    name="witness",
    title="find violations",
    minutes=20,
    declaration=WitnessCheck,
    words=(Exhibit,),
    part=_part,
    in_notebook=_prove_code,
    judged=each(judge.judge_witness),
    called=judge.called,
    earning=judge.earning,
    said=judge.said,
    form_only=True,
)
