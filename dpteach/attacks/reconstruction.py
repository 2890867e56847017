"""Rebuilding: enough counts that are nearly right give every row away."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check

__all__ = ["reconstruct", "worst_agreeing"]

#: its square is added to counts of questions, and must not be all that is left of the sum
_NOISE = _check.Domain("in [0, 10^6]", lambda x: 0 <= x <= 1e6)


def reconstruct(
    questions: ArrayLike, answers: ArrayLike, *, noise: float = 0.0
) -> NDArray[np.bool_]:
    """A secret yes or no of each person, rebuilt from counts of the yeses in groups of people.

    To the attacker each secret is 0 or 1, as likely as not, and the noise of each answer has mean
    0. Of all estimates that are linear in the answers this one has the least expected square
    error; it is rounded to 0 or 1.

    Parameters
    ----------
    questions : array_like of bool, shape (questions, people)
        Who belongs to the group that each question counts.
    answers : array_like of float, shape (questions,)
    noise : float
        The standard deviation that the attacker supposes the noise to have, from 0 to 10^6.

    Returns
    -------
    ndarray of bool, shape (people,)

    Raises
    ------
    ValueError, TypeError
        Also if there is not one answer for each question.

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
    # beforehand a secret is 1/2 with standard deviation 1/2: as good as one more answer on each
    # person, 2 noise times less precise
    precision = groups.T @ groups + (2 * noise) ** 2 * np.eye(people)
    evidence = groups.T @ (counts - groups.sum(axis=1) / 2)
    # of several solutions, where the questions leave a choice, the one nearest to 1/2
    return np.asarray(np.linalg.lstsq(precision, evidence, rcond=None)[0] > 0)


def worst_agreeing(people: int, error: float) -> int:
    """In how many rows at most two secrets differ if all their counts are that near.

    If all 2^n counts of n people are answered within an error, each secret that agrees with
    the answers differs from the true one in at most 4 times the error: those whom it adds are a
    group that both count within the error of one answer, those whom it drops another.

    Parameters
    ----------
    people : int
        n, >= 1.
    error : float
        By how much an answer may miss the count, >= 0.

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
    # two groups, each at most 2 error large, and a whole number of people each
    return int(min(people, 2 * math.floor(min(2 * error, people))))
