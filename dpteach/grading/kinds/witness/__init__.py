"""Checks in which the student finds the fault: which mechanisms do not keep their claim, and where.

The mechanisms stand in the notebook as code. A declaration gives the exact law of each on every
table that there may be, so that a witness is looked up and never run: neither luck nor the
student's process has a part in the judgement. Which mechanisms are wrong is computed, not declared.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from dpteach import _check
from dpteach.grading.core.plain import encode, reduce, shown
from dpteach.grading.core.specification import About
from dpteach.grading.kinds import require
from dpteach.grading.kinds.declaration import FALSE_ALARM, Declaration
from dpteach.grading.kinds.kind import Kind, each
from dpteach.grading.kinds.random.laws import Categorical
from dpteach.grading.kinds.random.statistics import findings
from dpteach.grading.kinds.witness import judge

#: how many tables and outcomes there may be
MAX_TABLES: Final = 300
MAX_OUTCOMES: Final = 12

#: calls of a mechanism's code on a table, and on so many tables, to compare it with its law
CODE_CALLS: Final = 2_000
CODE_TABLES: Final = 6


@dataclass(frozen=True)
class Exhibit:
    """A mechanism that claims to be private, in a `WitnessCheck`.

    Parameters
    ----------
    name
        The name of its function, which a ``given`` cell defines: of a table and the keyword
        ``rng``.
    law
        A function of a table that returns the probabilities of the outcomes: a list in their order,
        or a dict in which those of probability 0 may be missing.
    words
        What is wrong with it, for who has not found that; "" for a right one.
    """

    name: str
    law: Callable[[Any], Mapping[Any, float] | Sequence[float]]
    words: str = ""

    def __post_init__(self) -> None:
        if not (isinstance(self.name, str) and self.name.isidentifier()):
            raise ValueError(f"name must be the name of a function, got name={shown(self.name)}")
        require.function("law", self.law)
        if not isinstance(self.words, str):
            raise TypeError(f"words must be a string, got words={shown(self.words)}")


@dataclass(frozen=True, kw_only=True)
class WitnessCheck(Declaration):
    """A function that says which mechanisms break their claim, and gives a witness for each.

    The student's function gets the name of a mechanism and returns None (it keeps its claim), or a
    witness: ``[table, neighbour, event]``, the event a list of outcomes, so that the claim's
    inequality fails for these two tables in this order. A witness counts if it fails by `margin` at
    least. Each wrong mechanism with such a witness earns its share of the points; a right one that
    is accused costs one such share, and nothing else. The mechanisms stand in the notebook, so they
    are the same for all students and terms, whatever the seed of an exam: to change the item,
    exchange them.

    Parameters
    ----------
    name, points, call, builds_on, book
        As for `Check`; `call` is the student's function.
    visible
        A worked example or several, judged in full in the student's notebook. For the mechanisms of
        `hidden` only the form of the answer is looked at there.
    hidden
        The mechanisms to judge: wrong ones, and a right one at least. The same witness for all must
        not prove more wrong than there are right ones, or the build fails: it would be points for
        an answer that is always the same.
    tables
        All tables that there may be, at most 300: lists of numbers or strings.
    neighbours
        A function of two tables: whether they are neighbours. Symmetric.
    outcomes
        All answers that a mechanism may give, at most 12: different integers or different strings.
    epsilon, delta
        The claim: P(E) <= e^epsilon Q(E) + delta for all neighbours and events.
    order
        For a claim of Renyi DP: the divergence of this order (> 1, or infinity) is at most
        `epsilon`. Then a witness is ``[table, neighbour]``, and `delta` must be 0.
    margin
        By how much the claim must fail, > 0. A mechanism that breaks its claim somewhere, but
        nowhere by so much, is refused by the build.

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
    >>> check.margin
    0.01
    """

    _visible_kinds: ClassVar[tuple[type, ...]] = (Exhibit,)
    _hidden_kinds: ClassVar[tuple[type, ...]] = (Exhibit,)
    _refused: ClassVar[Mapping[str, str]] = {"mistakes": "words say what is wrong"}

    tables: Sequence[Any]
    neighbours: Callable[[Any, Any], bool]
    outcomes: Sequence[int | str]
    epsilon: float
    delta: float = 0.0
    order: float | None = None
    margin: float = 0.01

    def __post_init__(self) -> None:
        super().__post_init__()
        require.function("neighbours", self.neighbours)
        for name, most in (("tables", MAX_TABLES), ("outcomes", MAX_OUTCOMES)):
            value = getattr(self, name)
            if isinstance(value, str) or not isinstance(value, Sequence):
                raise TypeError(f"{name} must be a list, got {name}={shown(value)}")
            if not 2 <= len(value) <= most:
                raise ValueError(f"{name} must hold 2 to {most} of them, got {len(value)}")
        Categorical(self.outcomes, [1.0] + [0.0] * (len(self.outcomes) - 1))
        plain = [reduce(table) for table in self.tables]
        if not all(isinstance(table, list) for table in plain):
            raise TypeError(f"tables must hold lists, got tables={shown(plain)}")
        if any(plain.count(table) > 1 for table in plain):
            raise ValueError("tables must differ from each other, got one twice")
        require.number("epsilon", self.epsilon, _check.NON_NEGATIVE)
        require.number("delta", self.delta, require.BELOW_ONE)
        require.number("margin", self.margin, _check.POSITIVE)
        if self.order is not None:
            if not (isinstance(self.order, (int, float)) and self.order > 1):
                raise ValueError(f"order must be > 1 or None, got order={shown(self.order)}")
            if self.delta:
                raise ValueError(f"delta must be 0 with an order, got delta={self.delta:g}")
        names = [exhibit.name for exhibit in (*self.visible, *self.hidden)]
        if len(set(names)) < len(names):
            raise ValueError(
                f"visible and hidden must hold different names, got {', '.join(names)}"
            )
        if not self.hidden:
            raise ValueError("hidden must hold the mechanisms to judge, got hidden=()")


def _part(check: WitnessCheck, about: About[Any], rng: np.random.Generator) -> judge.WitnessPart:
    """Return the part; the visible one asks for the form of what is judged in the hidden one, too.

    Raises
    ------
    TypeError, ValueError
        If the laws are none, a mechanism neither keeps nor breaks its claim, or one witness for all
        mechanisms earns something.
    """
    tables = [reduce(table) for table in check.tables]
    near = [[bool(check.neighbours(one, other)) for other in tables] for one in tables]
    if near != [list(column) for column in zip(*near, strict=True)]:
        raise ValueError("neighbours must be symmetric")
    pairs = [(i, j) for i, row in enumerate(near) for j in range(len(row)) if row[j] and i != j]
    if not pairs:
        raise ValueError("neighbours must hold for some two tables")
    part: judge.WitnessPart = {
        **about,
        "kind": "witness",
        "epsilon": float(check.epsilon),
        "delta": float(check.delta),
        "order": None if check.order is None else encode(float(check.order)),
        "margin": float(check.margin),
        "outcomes": [reduce(outcome) for outcome in check.outcomes],
        # texts: a list of numbers would have a line a number in the student's checks.json
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
    if judge.ROUNDING < worst < check.margin:
        raise ValueError(
            f"margin: {exhibit.name} breaks its claim by {worst:.3g}, which is neither nothing nor "
            f"{check.margin:g}"
        )
    wrong = worst >= check.margin
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
    try:
        found = exhibit.law(json.loads(json.dumps(table)))
    except Exception as error:
        raise ValueError(
            f"law: {type(error).__name__}: {error}, of {exhibit.name} on {shown(table)}"
        ) from error
    if isinstance(found, Mapping):
        if not set(found) <= set(outcomes):
            extra = shown(sorted(set(found) - set(outcomes), key=str))
            raise ValueError(f"law: {exhibit.name} gives {extra}, which are no outcomes")
        found = [found.get(outcome, 0.0) for outcome in outcomes]
    masses = [float(mass) for mass in found]
    if len(masses) != len(outcomes) or not all(mass >= 0 for mass in masses):
        raise ValueError(f"law: {exhibit.name} must give a probability for each outcome")
    if not math.isclose(math.fsum(masses), 1.0, abs_tol=judge.ROUNDING):
        raise ValueError(f"law: {exhibit.name} has the sum {math.fsum(masses)} on {shown(table)}")
    return masses


def _prove(
    part: judge.WitnessPart, cases: Sequence[judge.WitnessCase], pairs: Sequence[tuple[int, int]]
) -> None:
    """Refuse exhibits of one kind only, and one witness that proves too many wrong."""
    wrong = [json.loads(case["law"] or "") for case in cases if case["wrong"]]
    right = len(cases) - len(wrong)
    if not wrong or not right:
        kind = "wrong" if wrong else "right"
        raise ValueError(f"hidden must hold right and wrong mechanisms, all are {kind}")
    found = max(_refuted_at_once(part, [(law[i], law[j]) for law in wrong]) for i, j in pairs)
    if found > right:
        raise ValueError(
            f"hidden: one witness for all proves {found} mechanisms wrong, and only {right} are "
            "right: always the same answer would earn points"
        )


def _refuted_at_once(
    part: judge.WitnessPart, laws: Sequence[tuple[Sequence[float], Sequence[float]]]
) -> int:
    """Return how many of the laws on two tables one witness refutes at most."""
    if part["order"] is not None:
        return sum(judge.excess(part, p, q) >= part["margin"] for p, q in laws)
    gains = np.array([np.subtract(p, math.exp(part["epsilon"]) * np.asarray(q)) for p, q in laws])
    size = gains.shape[1]
    events = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
    broken = events @ gains.T - part["delta"] >= part["margin"] - judge.ROUNDING
    return int(broken.sum(axis=1).max())


def _prove_code(part: judge.WitnessPart, namespace: Mapping[str, Any]) -> None:
    """Refuse mechanisms whose code in the notebook does not have the law that was declared.

    Raises
    ------
    ValueError
        If a function is missing, or its answers do not have its law on some table.
    """
    for case in part["cases"]:
        (name,) = case["args"]
        if not callable(namespace.get(name)):
            raise ValueError(f"name: no cell before the check defines the mechanism {name}")
        if case["law"] is not None:
            _compare(part, json.loads(case["law"]), name, namespace[name])


def _compare(
    part: judge.WitnessPart, law: Sequence[Sequence[float]], name: str, code: Callable[..., Any]
) -> None:
    tables = json.loads(part["tables"])
    rng = np.random.default_rng(len(tables))
    for i in {0, len(tables) - 1, *rng.permutation(len(tables))[:CODE_TABLES].tolist()}:
        table = tables[i]
        text = json.dumps(table)  # each call gets a table of its own
        answers = [reduce(code(json.loads(text), rng=rng)) for _ in range(CODE_CALLS)]
        declared = Categorical(part["outcomes"], np.asarray(law[i]) / math.fsum(law[i]))
        finding = findings(answers, declared.to_data(), FALSE_ALARM)
        if finding is not None:
            raise ValueError(
                f"law: the code of {name} has another one on {shown(table)}: {finding.words}"
            )


KIND = Kind(
    name="witness",
    title="find the fault",
    minutes=25,
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
