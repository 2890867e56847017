"""Membership: averages of many columns tell who was averaged."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check

__all__ = ["membership_scores"]


def membership_scores(
    people: ArrayLike, published: ArrayLike, shares: ArrayLike
) -> NDArray[np.float64]:
    """How much more each person resembles the published averages than people in general do.

    The score is the sum over all columns of (x - share) (published - share). A person who is not
    among the averaged scores 0 on average; each of n averaged people adds a 1/n-th of himself to
    the averages and scores the sum of share (1 - share), over n, on average.

    Parameters
    ----------
    people : array_like, shape (columns,) or (people, columns)
        What the attacker knows of one person or of several.
    published : array_like, shape (columns,)
        The averages over the study.
    shares : array_like, shape (columns,)
        The averages over people in general.

    Returns
    -------
    ndarray of float, shape () or (people,)

    Raises
    ------
    ValueError, TypeError
        Also if the shapes do not fit.

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
