"""The base class of mechanisms that select a candidate by its score."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check
from dpteach.mechanisms._base import Mechanism, pair
from dpteach.privacy_loss import DiscreteLoss

Vector = NDArray[np.float64]

ODDS = _check.Domain("in [0, 700]", lambda x: 0 <= x <= 700)

#: a mechanism that finds probabilities by integration does so for at most this many candidates
MOST_CANDIDATES = 128


@dataclass(frozen=True, repr=False)
class Selection(Mechanism):
    """A mechanism that selects a candidate, with higher probability the higher its score.

    Scores are measured in units of 2 sensitivity / epsilon, or sensitivity / epsilon if they are
    monotonic. The subclasses give the output distribution for scores in these units.
    """

    epsilon: float
    sensitivity: float = 1.0
    monotonic: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "epsilon", _check.real("epsilon", self.epsilon, ODDS))
        sensitivity = _check.real("sensitivity", self.sensitivity, _check.POSITIVE)
        object.__setattr__(self, "sensitivity", sensitivity)
        _check.instance("monotonic", self.monotonic, bool)

    @abstractmethod
    def _distribution(self, lead: Vector) -> Vector:
        """Return the probabilities of the candidates for the scores that `_lead` returns."""

    @abstractmethod
    def _choice(self, lead: Vector, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return a random candidate for each row of scores that `_lead` returns."""

    def _lead(self, scores: Vector) -> Vector:
        """Return scores minus the best score of their row, in units of the noise scale."""
        if self.epsilon == 0:
            return np.zeros_like(scores)
        with np.errstate(over="ignore"):  # overflow gives -inf: this candidate is never chosen
            behind = (scores - scores.max(axis=-1, keepdims=True)) / self.sensitivity
            return np.asarray(behind * (self.epsilon if self.monotonic else self.epsilon / 2))

    def _probabilities(self, scores: Vector) -> Vector:
        return np.minimum(self._distribution(self._lead(scores)), 1.0)

    def law(self, scores: ArrayLike) -> Vector:
        """Return the probability with which each candidate is selected, given all scores.

        Parameters
        ----------
        scores : array_like of shape (n,)
            Finite scores. For `PermuteAndFlip`, and for `ReportNoisyMax` with noise other than
            Gumbel noise, n is at most 128.

        Returns
        -------
        ndarray of shape (n,)
            Probabilities to a relative accuracy of about 1e-12; those below about 1e-300 are 0.

        Examples
        --------
        >>> from dpteach import ExponentialMechanism, PermuteAndFlip
        >>> ExponentialMechanism(epsilon=2.0).law([1.0, 0.0]).round(6)
        array([0.731059, 0.268941])
        >>> PermuteAndFlip(epsilon=2.0).law([1.0, 0.0]).round(6)
        array([0.81606, 0.18394])
        """
        return self._probabilities(one_row("scores", scores))

    def privacy_loss_between(self, value: ArrayLike, neighbour: ArrayLike) -> DiscreteLoss:
        """Return the privacy loss of the outputs on two vectors of scores that `law` accepts.

        Examples
        --------
        >>> from dpteach import ExponentialMechanism
        >>> loss = ExponentialMechanism(epsilon=1.0).privacy_loss_between([5.0, 3.0], [4.0, 4.0])
        >>> round(loss.max(), 12), round(loss.reversed().max(), 12)
        (0.379885493042, 0.620114506958)
        """
        left, right = pair(one_row("value", value), one_row("neighbour", neighbour))
        return DiscreteLoss(self._probabilities(left), self._probabilities(right))

    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Select a candidate at random, more likely the higher its score, and return its index.

        Parameters
        ----------
        value : array_like of shape (..., n)
            The scores of the n candidates; other axes hold separate selections.

        Returns
        -------
        ndarray of int of shape (...)
            Indices from 0 to n - 1.

        Examples
        --------
        >>> from dpteach import ExponentialMechanism
        >>> int(ExponentialMechanism(100.0).release([3, 9, 5], rng=np.random.default_rng(0)))
        1
        """
        scores = rows("value", value)
        return np.asarray(self._choice(self._lead(scores), _check.generator(rng)), dtype=np.int64)


def rows(name: str, scores: object) -> Vector:
    """Return scores as an array, after checking that its last axis has at least one candidate."""
    array = _check.array(name, scores)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise ValueError(
            f"{name} must hold the scores of at least one candidate, "
            f"got {name}={_check.shown(scores)}"
        )
    return array


def one_row(name: str, scores: object) -> Vector:
    """Return scores as an array, after checking that it is a vector with at least one entry."""
    array = rows(name, scores)
    if array.ndim != 1:
        raise ValueError(
            f"{name} must be a vector of scores, got {name}={_check.shown(scores)} "
            f"of shape {array.shape}"
        )
    return array


def few(lead: Vector) -> Vector:
    """Return the scores, or raise an error if there are more than `MOST_CANDIDATES`."""
    if lead.size > MOST_CANDIDATES:
        raise ValueError(
            f"scores must be of at most {MOST_CANDIDATES} candidates for the distribution of this "
            f"mechanism, got {lead.size}"
        )
    return lead
