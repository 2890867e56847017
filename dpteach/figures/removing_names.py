"""Figures on five attacks on a hospital's table from which the patients' names were removed."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from dpteach import _check, hospital
from dpteach._language import catalog
from dpteach.attacks import link, membership_scores, reconstruct
from dpteach.figures import _style

_, _n = catalog("figures")

__all__ = [
    "averaged_answers",
    "linked_tables",
    "membership",
    "named_by_columns",
    "rebuilt_rows",
    "rebuilt_share",
]

#: the columns that the hospital's table and the voter register have in common
KEYS = ("born", "sex", "postcode")
#: the side of the square in which figures show the first 64 patients of the table, whose secrets
#: are reconstructed
SIDE = 8
INSURED = SIDE * SIDE
_NOISE = _check.Domain("in [0, 100]", lambda x: 0 <= x <= 100)


@_style.styled
def linked_tables(*, ax: Axes | None = None) -> Axes:
    """Draw rows of a hospital's table without names and of a voter register, and their links.

    Parameters
    ----------
    ax : Axes, optional
    """
    axes = _style.new_axes(ax)
    if ax is None:
        axes.figure.set_size_inches(6.2, 4.3)  # type: ignore[union-attr]
    axes.set_axis_off()
    axes.set(xlim=(0, 85.5), ylim=(-7.4, 1.6))
    axes.figure.subplots_adjust(left=0.01, right=0.99, bottom=0.02, top=0.99)
    released, register = hospital.patients().without("name"), hospital.register()
    links = link(released, register, KEYS)
    ada = int(links.rows.tolist().index(register["name"].tolist().index(hospital.ADA)))
    # leave out other patients called Ada, so that nobody confuses them with Ada Lindquist
    named = links.named & ~np.char.startswith(hospital.patients()["name"], "Ada ")
    others = [int(i) for i in np.flatnonzero(named)[:4]]
    stranger = int(np.flatnonzero(links.candidates == 0)[0])
    left = [others[0], others[1], ada, stranger, others[2], others[3]]
    found = [int(links.rows[i]) for i in left if links.named[i]]
    # besides the voters who match one of the six drawn patients, show three others from the
    # register
    filler = [int(i) for i in np.linspace(500, len(register) - 500, 3)]
    right = sorted(found + filler, key=lambda i: str(register["name"][i]))

    axes.text(0, 1.2, _("The hospital’s table"), weight="bold")
    axes.text(46, 1.2, _("The voter register"), weight="bold")
    for y, row in enumerate(left):
        line = [released[name][row] for name in ("diagnosis", *KEYS)]
        _cells(axes, -1.2 * y, dict(zip((0, 14, 26.2, 29), line, strict=True)), row == ada)
    for y, row in enumerate(right):
        line = [register[name][row] for name in (*KEYS, "name")]
        mine = register["name"][row] == hospital.ADA
        _cells(axes, -y, dict(zip((46, 58.2, 61, 67.5), line, strict=True)), mine)
    for y, row in enumerate(left):
        if links.named[row]:
            end = -right.index(int(links.rows[row]))
            mine = row == ada
            axes.plot(
                [34.5, 37, 42.5, 45],
                [-1.2 * y + 0.12, -1.2 * y + 0.12, end + 0.12, end + 0.12],
                color=_style.VERMILLION if mine else _style.GREY,
                lw=2.2 if mine else 1.0,
                ls="-",
            )
    return _style.describe(
        axes,
        _(
            "On the left are six rows of the hospital's table without names, and on "
            "the right are {right} rows of the voter register. Lines join rows with "
            "the same date of birth, sex and ZIP code. They link {found} of the six "
            "patients to a name. One of these patients is {ADA}, whose diagnosis is "
            "depression.",
            right=len(right),
            found=len(found),
            ADA=hospital.ADA,
        ),
    )


def _cells(axes: Axes, y: float, cells: dict[float, Any], strong: bool) -> None:
    for x, text in cells.items():
        axes.text(
            x,
            y,
            str(text),
            color=_style.VERMILLION if strong else _style.BLACK,
            weight="bold" if strong else "normal",
        )


@_style.styled
def named_by_columns(*, ax: Axes | None = None) -> Axes:
    """Draw the percentage of patients who match exactly one voter, for several sets of columns.

    Parameters
    ----------
    ax : Axes, optional
    """
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.396)
    released, register = hospital.patients().without("name"), hospital.register()
    sets = (("sex",), ("postcode", "sex"), ("born",), ("born", "sex"), KEYS)
    words = ("sex", _("ZIP code, sex"), _("date of birth"), _("date of birth, sex"), _("all three"))
    shares = [link(released, register, columns).share for columns in sets]
    places = np.arange(len(sets))[::-1]
    axes.barh(places, shares, color=_style.BLUE, height=0.6)
    for place, share in zip(places, shares, strict=True):
        axes.text(share + 0.012, place, f"{share:.0%}", va="center")
    axes.set_yticks(places, words)
    axes.set(xlim=(0, 1))
    axes.set_xlabel(_("patients with exactly one candidate in the register"), loc="right")
    axes.xaxis.set_major_formatter(lambda x, place: f"{x:.0%}")
    axes.grid(axis="y", visible=False)
    together = _(" and ")
    told = [
        _("{share:.0%} by {fields}", share=share, fields=word.replace(", ", together))
        for share, word in zip(shares, words, strict=True)
    ]
    return _style.describe(
        axes,
        _(
            "The bars show the percentage of patients who have exactly one candidate "
            "in the register: {shares}.",
            shares=", ".join(told),
        ),
    )


@functools.cache
def _answers(noise: float) -> NDArray[np.float64]:
    table = hospital.patients()
    desk = hospital.Desk(table, fewest=10, noise=noise, rng=np.random.default_rng(158))
    depressed = table["diagnosis"] == "depression"
    return np.array([desk.count(depressed) for _rest in range(2000)])


@_style.styled
def averaged_answers(*, noise: float, ax: Axes | None = None) -> Axes:
    """Draw the noisy answers to a repeated query, and the mean of all answers so far.

    Each answer has fresh Gaussian noise.

    Parameters
    ----------
    noise : float
        The standard deviation of the noise, in [0, 100].
    ax : Axes, optional
    """
    noise = _check.real("noise", noise, _NOISE)
    axes = _style.new_axes(ax)
    answers = _answers(noise)
    days = np.arange(1, len(answers) + 1)
    means = np.cumsum(answers) / days
    axes.figure.subplots_adjust(right=0.736)
    axes.plot(days, answers, ls="", marker=".", ms=2.5, color="#9A9A9A")
    axes.plot(days, means, color=_style.BLUE, ls="-")
    axes.set_xscale("log")
    axes.set(xlim=(1, len(answers)), ylim=(126, 150), yticks=range(130, 151, 5))
    axes.set(xlabel=_("number of answers so far"), ylabel=_("patients with depression"))
    for count, words, colour, line in (
        (138, _("138, with Ada"), _style.VERMILLION, "--"),
        (137, _("137, without"), _style.GREEN, ":"),
    ):
        axes.axhline(count, color=colour, ls=line, lw=1.4)
        place = count + (1.2 if count == 138 else -1.2)
        axes.text(1.06 * len(answers), place, words, color=colour, va="center")
    paper = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    axes.text(1.15, 127.2, _("mean of the answers so far"), color=_style.BLUE, bbox=paper)
    axes.text(600, 147.8, _("individual answers"), color=_style.GREY, ha="right", bbox=paper)
    return _style.describe(
        axes,
        _(
            "The individual answers have mean 138, the true count, and standard "
            "deviation {noise:g}. The mean of the answers is {means:.1f} after 10 "
            "answers, {means_2:.1f} after 100 and {means_3:.2f} after {answers:,}.",
            noise=noise,
            means=means[9],
            means_2=means[99],
            means_3=means[-1],
            answers=len(answers),
        ),
    )


@functools.cache
def _secret() -> NDArray[np.bool_]:
    return np.array(hospital.patients()["smoker"][:INSURED])


@functools.cache
def _guesses(questions: int, noise: float, seed: int = 2099) -> NDArray[np.bool_]:
    """Return the attacker's guess for each of the 64 patients, True for a smoker.

    The attacker knows noisy counts of smokers in random groups of patients, as many groups as
    `questions`. The default seed was chosen because it gives a typical number of correct guesses
    for every standard deviation of the noise.
    """
    rng = np.random.default_rng(seed)
    groups = rng.random((questions, INSURED)) < 0.5
    answers = groups @ _secret().astype(int) + noise * rng.standard_normal(questions)
    return reconstruct(groups, answers, noise=noise)


@_style.styled
def rebuilt_rows(
    *, questions: int, noise: float, wide: bool = False, ax: Axes | None = None
) -> Axes:
    """Draw which of 64 patients are guessed to smoke, from noisy counts of random groups.

    Parameters
    ----------
    questions : int
        The number of groups that were counted, from 1 to 4096.
    noise : float
        The standard deviation of the noise of each count, in [0, 100].
    wide : bool
        Whether to save height by drawing the patients in 4 rows of 16 above the legend, instead of
        in 8 rows of 8 beside the legend.
    ax : Axes, optional
    """
    questions = _check.count("questions", questions)
    if questions > 4096:
        raise ValueError(f"questions must be at most 4096, got questions={questions}")
    noise = _check.real("noise", noise, _NOISE)
    axes = _style.new_axes(ax)
    truth, guess = _secret(), _guesses(questions, noise)
    right = int(np.count_nonzero(guess == truth))
    across = 2 * SIDE if wide else SIDE
    rows = INSURED // across
    axes.figure.subplots_adjust(left=0.02, right=0.98, bottom=0.03, top=0.97)
    axes.set_aspect("equal")
    axes.set_axis_off()
    for i, (true, said) in enumerate(zip(truth, guess, strict=True)):
        _patient(axes, i % across, rows - 1 - i // across, bool(true), bool(said))
    if wide:
        _wide(axes, ax is None, right)
    else:
        _square(axes, right)
    return _style.describe(
        axes,
        _(
            "The picture shows {INSURED} patients, {sum} of whom smoke. From "
            "{questions:,} counts with noise of standard deviation {noise:g}, the "
            "attacker guesses correctly for {right} of them.",
            INSURED=INSURED,
            sum=int(truth.sum()),
            questions=questions,
            noise=noise,
            right=right,
        ),
    )


def _square(axes: Axes, right: int) -> None:
    """Write the number of correct guesses above 8 rows of patients, and a legend beside them."""
    axes.set(xlim=(-0.3, 14), ylim=(-0.3, SIDE + 0.9))
    axes.text(
        0,
        SIDE + 0.3,
        _("{right} of {INSURED} correct", right=right, INSURED=INSURED),
        fontsize=13,
        weight="bold",
        color=_style.BLACK,
    )
    for y, (true, said), words in (
        (6.6, (True, True), _("smoker,\ncorrect guess")),
        (4.9, (False, False), _("nonsmoker,\ncorrect guess")),
        (3.2, (True, False), _("smoker,\nwrong guess")),
        (1.5, (False, True), _("nonsmoker,\nwrong guess")),
    ):
        _patient(axes, SIDE + 0.6, y, true, said)
        axes.text(SIDE + 1.8, y + 0.5, words, va="center")


def _wide(axes: Axes, alone: bool, right: int) -> None:
    """Write the number of correct guesses above 4 rows of patients, and a legend below them."""
    if alone:
        axes.figure.set_size_inches(5.0, 2.04)  # type: ignore[union-attr]
        axes.figure.subplots_adjust(left=0, right=1, bottom=0.01, top=0.99)
    axes.set(xlim=(-0.02, 16.02), ylim=(-1.45, 4.95))
    axes.text(
        0.06,
        4.3,
        _("{right} of {INSURED} guesses are correct", right=right, INSURED=INSURED),
        fontsize=14,
        weight="bold",
        color=_style.BLACK,
    )
    for x, (true, said), words in (
        (0.0, (True, True), _("guess: smokes")),
        (4.7, (False, False), _("guess: does not smoke")),
        (11.3, (True, False), _("wrong guess")),
    ):
        _patient(axes, x, -1.4, true, said)
        axes.text(x + 1.15, -1.08, words, fontsize=12)


def _patient(axes: Axes, x: float, y: float, true: bool, said: bool) -> None:
    """Draw a patient's square: filled if the guess is *smokes*, crossed if the guess is wrong."""
    axes.add_patch(
        Rectangle(
            (x + 0.06, y + 0.06),
            0.88,
            0.88,
            facecolor=_style.BLUE if said else "white",
            edgecolor=_style.BLUE,
            lw=1.2,
        )
    )
    if true != said:
        ends = np.array([0.2, 0.8])
        style: dict[str, Any] = {"color": _style.VERMILLION, "lw": 3.0, "ls": "-"}
        axes.plot(x + ends, y + ends, **style)
        axes.plot(x + ends, y + 1 - ends, **style)


@_style.styled
def rebuilt_share(*, ax: Axes | None = None) -> Axes:
    """Draw the percentage of 64 patients whose smoking is guessed correctly from noisy counts.

    The horizontal axis is the standard deviation of the noise.

    Parameters
    ----------
    ax : Axes, optional
    """
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(right=0.736)
    truth = _secret()
    noises = np.array([0.0, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 11, 16])
    said = []
    for i, questions in enumerate((64, 256, 1024)):
        shares = [
            np.mean([_guesses(questions, float(x), seed) == truth for seed in range(12)])
            for x in noises
        ]
        axes.plot(noises, shares, **_style.series(i))
        # the first two curves end close together, so move their labels apart
        place = shares[-1] + (-0.018, 0.012, 0.0)[i]
        axes.text(
            16.3,
            place,
            _("{questions:,} counts", questions=questions),
            color=_style.COLORS[i],
            va="center",
        )
        said.append(
            _("{shares:.0%} with {questions:,} counts", shares=shares[4], questions=questions)
        )
    idle = 1 - truth.mean()
    axes.axhline(idle, color=_style.GREY, ls=(0, (2, 2)), lw=1.2)
    axes.text(0.2, idle - 0.035, _("guesses that nobody smokes"), color=_style.GREY)
    axes.set(
        xlim=(0, 16), ylim=(0.55, 1.01), xlabel=_("standard deviation of the noise in each count")
    )
    axes.set_ylabel(_("correct guesses"))
    axes.yaxis.set_major_formatter(lambda x, place: f"{x:.0%}")
    return _style.describe(
        axes,
        _(
            "The percentage of 64 secrets that the attacker guesses correctly falls "
            "as the noise grows, to about {idle:.0%}, the share of an attacker who "
            "makes no queries. For noise of standard deviation 2, it is {said}. More "
            "counts overcome more noise.",
            idle=idle,
            said=", ".join(said),
        ),
    )


@_style.styled
def membership(*, columns: int, ax: Axes | None = None) -> Axes:
    """Draw the scores that a membership attack gives to a study's members and to other patients.

    The attacker knows the averages that the study published, and each patient's own values.

    Parameters
    ----------
    columns : int
        The number of averages that were published, from 1 to 5000.
    ax : Axes, optional
    """
    columns = _check.count("columns", columns)
    if columns > 5000:
        raise ValueError(f"columns must be at most 5000, got columns={columns}")
    axes = _style.new_axes(ax)
    scores, inside, ada = _scores(columns)
    level = float(np.quantile(scores[~inside], 0.99))
    caught = float(np.mean(scores[inside] > level))
    bins = np.linspace(-4, 8, 49).tolist()
    axes.hist(scores[~inside], bins, density=True, color="#C4C4C4")
    axes.hist(
        scores[inside], bins, density=True, histtype="step", color=_style.BLUE, lw=2.0, ls="-"
    )
    axes.axvline(level, color=_style.BLACK, ls=":", lw=1.4)
    axes.text(level + 0.15, 0.59, _("exceeded by 1%\nof the others"), va="top")
    axes.plot(ada, 0.012, marker="v", ms=9, color=_style.VERMILLION, ls="", clip_on=False)
    axes.text(
        ada,
        0.045,
        _("Ada"),
        color=_style.VERMILLION,
        weight="bold",
        ha="center",
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
    )
    axes.text(-3.9, 0.49, _("2,862 others"), color=_style.GREY)
    axes.text(
        7.9,
        0.41,
        _("138 in the study,\n{caught:.0%} exceed it", caught=caught),
        color=_style.BLUE,
        ha="right",
    )
    axes.set(xlim=(-4, 8), ylim=(0, 0.6), yticks=[])
    axes.set_xlabel(_("score, in standard deviations of the others’ scores"))
    return _style.describe(
        axes,
        _(
            "Two histograms show scores from {columns:,} averages. The scores of the "
            "others lie around 0, and those of the study's 138 patients around "
            "{mean:.1f}; {caught:.0%} of these patients exceed the score that only "
            "1% of the others exceed. Ada's score is {ada:.1f}.",
            columns=columns,
            mean=scores[inside].mean(),
            caught=caught,
            ada=ada,
        ),
    )


@functools.cache
def _scores(columns: int) -> tuple[NDArray[np.float64], NDArray[np.bool_], float]:
    """Return each patient's membership score, whether each is in the study, and Ada's score.

    An attacker takes patients with high scores for members of the study. Scores are in units of
    the standard deviation of the scores of patients outside the study.
    """
    table, known = hospital.patients(), hospital.markers(columns)
    inside = table["diagnosis"] == "depression"
    scores = membership_scores(known, known[inside].mean(axis=0), hospital.marker_shares(columns))
    scores = scores / scores[~inside].std()
    return scores, inside, float(scores[table["name"] == hospital.ADA][0])
