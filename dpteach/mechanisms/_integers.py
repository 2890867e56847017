"""Exactly sampled integer noise, shared by the discrete Laplace and Gaussian mechanisms."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, _exact
from dpteach.mechanisms._base import Mechanism, no_loss, pair
from dpteach.privacy_loss import DiscreteLoss

#: the largest true value: its sum with noise below 2^62 fits into 64 bits
LARGEST_VALUE = 2**62


@dataclass(frozen=True, repr=False)
class IntegerNoise(Mechanism):
    """A mechanism that adds independent integers from one distribution to integer values."""

    @abstractmethod
    def _noise(self, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return independent random integers from the distribution of the noise."""

    @abstractmethod
    def _moved_by(self, difference: int) -> IntegerNoise:
        """Return the mechanism with the same noise and the given difference as its sensitivity."""

    @abstractmethod
    def privacy_loss(self) -> DiscreteLoss:
        """Return the privacy loss if one coordinate changes as far as `sensitivity` allows."""

    def privacy_loss_between(self, value: ArrayLike, neighbour: ArrayLike) -> DiscreteLoss:
        """Return the privacy loss of the outputs on two true values.

        Parameters
        ----------
        value, neighbour : array_like of integers
            True values of the same shape that differ in at most one coordinate.

        Returns
        -------
        DiscreteLoss

        Raises
        ------
        ValueError
            If the values differ in shape, in more than one coordinate, or by so much that
            `privacy_loss` raises ValueError if the sensitivity is their difference.

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
        """Return the value with independent integer noise added to each coordinate.

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
            If the scale or sigma of the noise is above 2^52.

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
    """Return a scale as an exact fraction; raise an error if noise might exceed 64 bits."""
    if value > _exact.LARGEST_SCALE:
        raise ValueError(
            f"{name} must be at most 2**52 for noise that fits 64 bits, got {name}={value}"
        )
    return Fraction(value)


def only_shift(value: ArrayLike, neighbour: ArrayLike) -> int:
    """Return the difference of two vectors in the only coordinate that differs; 0 if equal."""
    left, right = pair(
        _check.integers("value", value, largest=LARGEST_VALUE),
        _check.integers("neighbour", neighbour, largest=LARGEST_VALUE),
    )
    differences = (left - right)[left != right]
    if differences.size > 1:
        raise ValueError(
            "value and neighbour must differ in one coordinate at most: the loss of several "
            f"coordinates is a sum of independent losses, got {differences.size} that differ"
        )
    return abs(int(differences[0])) if differences.size else 0
