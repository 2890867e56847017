"""The membership inference attack on averages of many columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check

__all__ = ["membership_scores"]


def membership_scores(
    people: ArrayLike, published: ArrayLike, shares: ArrayLike
) -> NDArray[np.float64]:
    """Return a score for each person's membership in the group with the published averages.

    The score is the sum over all columns of (x - share) (published - share), where x is the
    person's value. The expected score of a person outside the group is 0. Each of n members
    contributes 1/n of the averages, so a member's expected score is the sum of the columns'
    variances, which are share (1 - share) for bits, divided by n.

    Parameters
    ----------
    people : array_like, shape (columns,) or (people, columns)
        The data of one person or several people, known to the attacker.
    published : array_like, shape (columns,)
        The averages over the group.
    shares : array_like, shape (columns,)
        The averages over the population.

    Returns
    -------
    ndarray of float, shape () or (people,)

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid, or the shapes do not match.

    References
    ----------
    Homer et al. (2008); Dwork, Smith, Steinke, Ullman and Vadhan (2015), figure 2, whose score
    estimates the shares from a sample and clips the differences.

    Examples
    --------
    >>> float(membership_scores([1.0, 0.0], published=[0.75, 0.25], shares=[0.5, 0.5]))
    0.25
    """
    x = _check.array("people", people, bits=True)
    means = _check.array("published", published)
    usual = _check.array("shares", shares)
    for name, values in (("published", means), ("shares", usual)):
        if values.ndim != 1 or values.shape != x.shape[-1:]:
            raise ValueError(
                f"people and {name} must have equally many columns, {name} in one dimension, "
                f"got shapes {x.shape} and {values.shape}"
            )
    if x.ndim > 2:
        raise ValueError(f"people must be one row or several, got shape {x.shape}")
    return np.asarray((x - usual) @ (means - usual))
