"""Integer noise that is drawn exactly: what the discrete Laplace and Gaussian mechanisms share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _exact
from dpteach.mechanisms._base import Mechanism, no_loss, pair
from dpteach.privacy_loss import DiscreteLoss

#: true answers up to here: with noise below 2^62 the sum fits 64 bits
LARGEST_VALUE = 2**62


@dataclass(frozen=True, repr=False)
class IntegerNoise(Mechanism):
    """The true answer, integers, plus independent integers of one law on each coordinate."""

    @abstractmethod
    def _noise(self, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Independent draws of the noise."""

    @abstractmethod
    def _moved_by(self, difference: int) -> IntegerNoise:
        """The same noise, where neighbours move one coordinate by the difference."""

    @abstractmethod
    def privacy_loss(self) -> DiscreteLoss:
        """That of a change in one coordinate."""

    def privacy_loss_between(self, value: ArrayLike, neighbour: ArrayLike) -> DiscreteLoss:
        """The privacy loss of the answers on two true values.

        Parameters
        ----------
        value, neighbour : array_like of integers
            Of one shape, and different in at most one coordinate.

        Returns
        -------
        DiscreteLoss

        Raises
        ------
        ValueError
            If they differ in shape, in more than one coordinate, or by more than `privacy_loss`
            allows.

        Examples
        --------
        >>> from dpteach import DiscreteGaussian, DiscreteLaplace
        >>> round(DiscreteLaplace(scale=2.0).privacy_loss_between([3, 9], [3, 12]).max(), 12)
        1.5
        >>> round(DiscreteGaussian(sigma=2.0).privacy_loss_between([3, 9], [3, 11]).kl(), 12)
        0.5
        """
        difference = only_shift(value, neighbour)
        return self._moved_by(difference).privacy_loss() if difference else no_loss()

    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """The value plus independent integer noise on each coordinate.

        Parameters
        ----------
        value : array_like of integers, of any shape
            Up to 2^62 in absolute value.
        rng : numpy.random.Generator

        Returns
        -------
        ndarray of int64, of the same shape

        Raises
        ------
        ValueError
            If the scale of the noise, or sigma, is above 2^52.

        Examples
        --------
        >>> from dpteach import DiscreteGaussian
        >>> DiscreteGaussian(sigma=3.0).release([10, 20, 30], rng=np.random.default_rng(0))
        array([ 8, 19, 30])
        """
        true = _check.integers("value", value, largest=LARGEST_VALUE)
        noise = self._noise(true.size, _check.generator(rng))
        return np.asarray(true + noise.reshape(true.shape))


def scale_of_integers(name: str, value: float) -> Fraction:
    """The rational number that a scale is, if noise of this scale fits 64 bits."""
    if value > _exact.LARGEST_SCALE:
        raise ValueError(
            f"{name} must be at most 2**52 for noise that fits 64 bits, got {name}={value}"
        )
    return Fraction(value)


def only_shift(value: ArrayLike, neighbour: ArrayLike) -> int:
    """By how much two integer answers differ in the one coordinate where they do; 0 if nowhere."""
    left, right = pair(
        _check.integers("value", value, largest=LARGEST_VALUE),
        _check.integers("neighbour", neighbour, largest=LARGEST_VALUE),
    )
    differences = (left - right)[left != right]
    if differences.size > 1:
        raise ValueError(
            "value and neighbour must differ in one coordinate at most: the loss of several is "
            f"a sum of independent ones, got {differences.size} that differ"
        )
    return abs(int(differences[0])) if differences.size else 0
