"""The reconstruction attack: enough accurate counts reveal every row."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check

__all__ = ["reconstruct", "worst_agreeing"]

#: the standard deviation of the noise is limited, because `reconstruct` adds its square to numbers
#: of questions, which a larger square would lose to rounding
_NOISE = _check.Domain("in [0, 10^6]", lambda x: 0 <= x <= 1e6)


def reconstruct(
    questions: ArrayLike, answers: ArrayLike, *, noise: float = 0.0
) -> NDArray[np.bool_]:
    """Reconstruct a secret bit of each person from noisy counts over groups of people.

    The attacker assumes that each secret is 0 or 1 with probability 1/2 and that the noise has mean
    0. The estimate has the least mean squared error among all estimates that are linear in the
    answers, and it is rounded to 0 or 1.

    Parameters
    ----------
    questions : array_like of bool, shape (questions, people)
        Whether each person belongs to the group that each question counts.
    answers : array_like of float, shape (questions,)
        The noisy count of each group.
    noise : float
        The standard deviation of the noise that the attacker assumes, from 0 to 10^6.

    Returns
    -------
    ndarray of bool, shape (people,)

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid, or the number of answers differs from that of questions.

    References
    ----------
    Dinur and Nissim (2003), section 3; least squares: Dwork, McSherry and Talwar (2007).

    Examples
    --------
    >>> secret = np.array([1, 0, 1, 1])
    >>> questions = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 1, 1, 1], [1, 0, 1, 0]])
    >>> reconstruct(questions, questions @ secret)
    array([ True, False,  True,  True])
    """
    groups = _check.array("questions", questions, bits=True)
    counts = _check.array("answers", answers)
    noise = _check.real("noise", noise, _NOISE)
    if groups.ndim != 2 or counts.shape != groups.shape[:1]:
        raise ValueError(
            "questions and answers must be a matrix and a vector with an entry for each row, "
            f"got shapes {groups.shape} and {counts.shape}"
        )
    if not np.isin(groups, (0.0, 1.0)).all():
        raise ValueError(
            f"questions must hold bools (or 0 and 1) only, got questions={_check.shown(questions)}"
        )
    people = groups.shape[1]
    # each bit has the prior mean 1/2 and standard deviation 1/2, which acts like one more answer
    # about the person, namely 1/2 with noise of standard deviation 1/2
    precision = groups.T @ groups + (2 * noise) ** 2 * np.eye(people)
    evidence = groups.T @ (counts - groups.sum(axis=1) / 2)
    # if the answers allow several solutions, lstsq returns the one nearest to 1/2
    return np.asarray(np.linalg.lstsq(precision, evidence, rcond=None)[0] > 0)


def worst_agreeing(people: int, error: float) -> int:
    """Return a bound on the number of wrong bits in any secret that agrees with all noisy counts.

    A secret has one bit for each person. If the counts over all 2^n groups of n people are answered
    within `error`, each secret that agrees with the answers is wrong in at most 4 `error` bits. To
    see this, consider the group of people who have a 1 only in the agreeing secret, and the group
    of people who have a 1 only in the true secret. The true count and the agreeing count of each
    group are both within `error` of the group's answer, so each group has at most 2 `error` people.

    Parameters
    ----------
    people : int
        n, >= 1.
    error : float
        The largest error of an answer, >= 0.

    Returns
    -------
    int
        An upper bound, at most n.

    References
    ----------
    Dinur and Nissim (2003), theorem 2.

    Examples
    --------
    >>> worst_agreeing(64, error=2.0)
    8
    """
    people = _check.count("people", people)
    error = _check.real("error", error, _check.NON_NEGATIVE)
    # at most floor(2 error) bits are 1 instead of 0, and at most as many are 0 instead of 1
    return int(min(people, 2 * math.floor(min(2 * error, people))))
