"""The linkage attack: match the rows of two tables by their common columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpteach import _check
from dpteach.hospital import Table

__all__ = ["Links", "link"]


@dataclass(frozen=True, eq=False)
class Links:
    """The matching rows of a register for each row of a released table.

    Parameters
    ----------
    rows : ndarray of int, shape (rows of the released table,)
        The index of the register row that agrees in all columns if exactly one does, otherwise -1.
    candidates : ndarray of int, of the same shape
        The number of register rows that agree.

    Examples
    --------
    >>> people = Table({"name": ["Ada", "Emil", "Eva"], "born": [1989, 1990, 1990]})
    >>> links = link(people.without("name")[:2], people, on=["born"])
    >>> links.rows, links.candidates
    (array([ 0, -1]), array([1, 2]))
    """

    rows: NDArray[np.intp]
    candidates: NDArray[np.intp]

    @property
    def named(self) -> NDArray[np.bool_]:
        """Whether each released row has exactly one candidate.

        >>> Links(np.array([0, -1]), np.array([1, 2])).named
        array([ True, False])
        """
        return np.asarray(self.candidates == 1)

    @property
    def share(self) -> float:
        """The share of released rows that have exactly one candidate.

        >>> Links(np.array([0, -1]), np.array([1, 2])).share
        0.5
        """
        return float(np.mean(self.named))


def link(released: Table, register: Table, on: Sequence[str]) -> Links:
    """Look up each row of a released table in a register, by columns of both tables.

    A single candidate need not be the right person, who may be missing from the register.

    Parameters
    ----------
    released, register : Table
    on : list of str
        The columns to compare: at least one, present in both tables.

    Returns
    -------
    Links

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid, `on` is empty, or a table lacks one of its columns.

    References
    ----------
    Sweeney (2002), section 2.

    Examples
    --------
    >>> from dpteach import hospital
    >>> released = hospital.patients().without("name")
    >>> links = link(released, hospital.register(), on=["born", "sex", "postcode"])
    >>> round(links.share, 3)
    0.711
    """
    _check.instance("released", released, Table)
    _check.instance("register", register, Table)
    both = set(released.columns) & set(register.columns)
    if (
        not isinstance(on, (list, tuple))
        or not on
        or not all(isinstance(name, str) and name in both for name in on)
    ):
        raise ValueError(
            f"on must be a list of columns of both tables, some of {sorted(both)}, "
            f"got on={_check.shown(on)}"
        )
    size = len(released)
    # assign a number to each combination of values that occurs in either table
    keys = np.zeros(size + len(register), dtype=np.int64)
    for name in on:
        values = np.concatenate([released[name], register[name]])
        number = np.unique(values, return_inverse=True)[1]
        keys = np.unique(np.stack([keys, number]), axis=1, return_inverse=True)[1].ravel()
    ours, theirs = keys[:size], keys[size:]
    count = np.bincount(theirs, minlength=keys.max() + 1 if len(keys) else 1)
    place = np.full(len(count), -1)
    place[theirs] = np.arange(len(theirs))
    candidates = count[ours]
    return Links(np.where(candidates == 1, place[ours], -1), candidates)
