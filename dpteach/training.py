"""Differentially private training: logistic regression by noisy stochastic gradient descent.

Each step samples each person with probability `rate`, clips each sampled person's gradient to the
norm `clip`, sums the gradients, adds Gaussian noise and divides by a number fixed in advance. One
person changes the sum by at most `clip`, so a step is a Gaussian mechanism with Poisson
subsampling. An `Accountant` computes the privacy cost of all steps, even if the weights after each
step are public. Neighbors differ by adding or removing a person. The functions share these
parameters:

Parameters
----------
weights : array_like, shape (columns,)
features : array_like, shape (people, columns)
    A row for each person. A model with an intercept has a column of ones.
labels : array_like, shape (people,)
    0 or 1 for each person.
clip : float
    The largest Euclidean norm of one person's gradient, > 0; with inf, nothing is clipped.
rng : numpy.random.Generator
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check
from dpteach.accountants import Accountant
from dpteach.amplification import PoissonSubsampled
from dpteach.mechanisms import Gaussian

__all__ = ["Training", "clip_rows", "logistic_gradients", "logistic_losses", "train_logistic"]

Vector = NDArray[np.float64]

#: norms are clipped to this fraction of `clip`, so that rounding errors cannot make them exceed
#: `clip`
_SHORT = 1 - 2**-40
_CLIP = _check.Domain("> 0 (inf is allowed)", lambda x: x > 0)


def clip_rows(rows: ArrayLike, clip: float) -> Vector:
    """Scale each row with a Euclidean norm above `clip` down to `clip`; return all rows.

    Parameters
    ----------
    rows : array_like, shape (people, columns)

    Returns
    -------
    ndarray of shape (people, columns)
        No row has a Euclidean norm above `clip`.

    Examples
    --------
    >>> clip_rows([[3.0, 4.0], [0.3, 0.4]], clip=1.0).round(6).tolist()
    [[0.6, 0.8], [0.3, 0.4]]
    """
    found = _check.array("rows", rows)
    if found.ndim != 2:
        raise ValueError(f"rows must be a matrix, got rows of shape {found.shape}")
    clip = _check.real("clip", clip, _CLIP)
    # divide each row by its largest entry before squaring, so that no square overflows
    largest = np.abs(found).max(axis=1, keepdims=True, initial=0.0)
    units = found / np.where(largest > 0, largest, 1.0)
    norms = np.linalg.norm(units, axis=1, keepdims=True)
    with np.errstate(over="ignore"):
        long = largest * norms > clip * _SHORT
    cut: Vector = found.copy()
    here = long.ravel()
    cut[here] = units[here] / norms[here] * (clip * _SHORT)
    return cut


def logistic_gradients(weights: ArrayLike, features: ArrayLike, labels: ArrayLike) -> Vector:
    """Return each person's gradient of the logistic loss.

    A gradient is the predicted probability of label 1 minus the label, times the features.

    Returns
    -------
    ndarray of shape (people, columns)

    Examples
    --------
    >>> logistic_gradients([0.0, 0.0], [[1.0, 2.0], [1.0, -4.0]], [1, 0]).tolist()
    [[-0.5, -1.0], [0.5, -2.0]]
    """
    w, x, y = _model(weights, features, labels)
    return _residuals(x @ w, y)[:, None] * x


def logistic_losses(weights: ArrayLike, features: ArrayLike, labels: ArrayLike) -> Vector:
    """Return each person's logistic loss, -log(predicted probability of the person's label).

    Returns
    -------
    ndarray of shape (people,)
        Losses in nats. A loss below log 2 = 0.693 means that the model predicts the label.

    Examples
    --------
    >>> logistic_losses([1.0], [[0.0], [2.0]], [1, 0]).round(4).tolist()
    [0.6931, 2.1269]
    """
    w, x, y = _model(weights, features, labels)
    losses: Vector = np.logaddexp(0.0, (1 - 2 * y) * (x @ w))
    return losses


@dataclass(frozen=True, eq=False)
class Training:
    """The weights of a trained model, and the mechanism of its training steps.

    Parameters
    ----------
    weights : array_like, shape (columns,)
    step : PoissonSubsampled or None
        One step as a mechanism; None for training without noise, which has no guarantee.
    steps : int
        The number of steps, at least 1.

    Examples
    --------
    >>> from dpteach import Gaussian, PoissonSubsampled
    >>> model = Training([1.0], PoissonSubsampled(Gaussian(sigma=2.0), rate=0.1), steps=100)
    >>> round(model.accountant().epsilon_at(1e-5).upper, 3)
    2.337
    """

    weights: Vector
    step: PoissonSubsampled | None
    steps: int

    def __post_init__(self) -> None:
        weights = _vector("weights", self.weights)
        weights.flags.writeable = False
        object.__setattr__(self, "weights", weights)
        if self.step is not None:
            _check.instance("step", self.step, PoissonSubsampled)
        object.__setattr__(self, "steps", _check.count("steps", self.steps))

    def accountant(self) -> Accountant:
        """Return an accountant of all steps, which computes epsilon or delta.

        Returns
        -------
        Accountant
            A new accountant that contains the steps. Add to this accountant everything else that
            was computed from the same people, such as training runs for choosing the clipping
            norm.

        Raises
        ------
        ValueError
            If training used no noise.

        Examples
        --------
        >>> from dpteach import Gaussian, PoissonSubsampled
        >>> model = Training([1.0], PoissonSubsampled(Gaussian(sigma=2.0), rate=0.1), steps=100)
        >>> round(model.accountant().delta_at(0.0).upper, 3)
        0.206
        """
        if self.step is None:
            raise ValueError("step must be a mechanism, got step=None: training without noise")
        return Accountant().compose(self.step, self.steps)


def train_logistic(
    features: ArrayLike,
    labels: ArrayLike,
    *,
    rate: float,
    sigma: float,
    clip: float,
    batch: float,
    steps: int,
    learning_rate: float,
    rng: np.random.Generator,
) -> Training:
    """Train logistic regression by stochastic gradient descent with clipping and noise (DP-SGD).

    The weights start at 0. Each step sums the clipped gradients of the sampled people, adds
    Gaussian noise of standard deviation sigma * clip to each column, and subtracts
    learning_rate / batch times the result from the weights.

    Parameters
    ----------
    rate : float
        The probability in (0, 1] that a person is in the sample of a step, independently of other
        people and other steps.
    sigma : float
        The standard deviation of the noise divided by the clipping norm, >= 0.
    batch : float
        The number, > 0, by which sums are divided, such as the expected sample size if the number
        of people is public. The number must not depend on the data; in particular, it must not be
        the size of the drawn sample.
    steps : int
        The number of steps, at least 1.
    learning_rate : float
        > 0.

    Returns
    -------
    Training
        The model; its `step` is None if sigma is 0.

    Raises
    ------
    ValueError
        If the weights overflow, or sigma > 0 and `clip` is infinite.

    Notes
    -----
    The guarantee is about real numbers. Floating-point noise leaks additional information, see
    `attacks.floating_point_attack`.

    References
    ----------
    Abadi et al. (2016), algorithm 1, with Poisson samples as in their section 3.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = np.column_stack([np.ones(200), rng.normal(size=200)])
    >>> y = x[:, 1] > 0
    >>> model = train_logistic(x, y, rate=0.1, sigma=1.0, clip=1.0, batch=20.0, steps=100,
    ...                        learning_rate=1.0, rng=rng)
    >>> float(np.mean(logistic_losses(model.weights, x, y) < np.log(2)))
    0.98
    >>> round(model.accountant().epsilon_at(1e-5).upper, 3)
    7.047
    """
    x, y = _people(features, labels)
    rate = _check.real("rate", rate, _check.POSITIVE_PROBABILITY)
    sigma = _check.real("sigma", sigma, _check.NON_NEGATIVE)
    clip = _check.real("clip", clip, _CLIP)
    batch = _check.real("batch", batch, _check.POSITIVE)
    steps = _check.count("steps", steps)
    learning_rate = _check.real("learning_rate", learning_rate, _check.POSITIVE)
    rng = _check.generator(rng)
    if sigma > 0 and clip == math.inf:
        raise ValueError("clip must be finite if sigma > 0, got clip=inf")
    if steps > _MOST_STEPS:
        raise ValueError(f"steps must be at most {_MOST_STEPS}, got steps={_check.shown(steps)}")
    # each person's gradient is a number times the features, so compute the norms of the features
    # only once
    norms = np.linalg.norm(x, axis=1)
    weights = np.zeros(x.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(steps):
            if rate == 1:
                total = _clipped_sum(weights, x, y, norms, clip)
            else:
                here = np.flatnonzero(rng.random(y.size) < rate)
                total = _clipped_sum(weights, x[here], y[here], norms[here], clip)
            if sigma > 0:
                total = total + sigma * clip * rng.standard_normal(total.size)
            weights = weights - learning_rate / batch * total
    if not np.isfinite(weights).all():
        raise ValueError(
            "learning_rate must be so small that the weights stay finite, "
            f"got learning_rate={learning_rate:g}"
        )
    noisy = sigma > 0
    return Training(weights, PoissonSubsampled(Gaussian(sigma), rate) if noisy else None, steps)


#: the largest number of training steps; more would take hours
_MOST_STEPS = 10**7


def _clipped_sum(weights: Vector, x: Vector, y: Vector, norms: Vector, clip: float) -> Vector:
    residuals = _residuals(x @ weights, y)
    if clip < math.inf:
        size = np.abs(residuals) * norms
        long = size > clip * _SHORT
        residuals[long] *= clip * _SHORT / size[long]
    total: Vector = residuals @ x
    return total


def _residuals(scores: Vector, y: Vector) -> Vector:
    residuals: Vector = 0.5 + 0.5 * np.tanh(0.5 * scores) - y
    return residuals


def _vector(name: str, value: object) -> Vector:
    vector = _check.array(name, value)
    if vector.ndim != 1 or vector.size == 0:
        raise ValueError(
            f"{name} must be a vector of at least one number, got shape {vector.shape}"
        )
    return vector


def _people(features: object, labels: object) -> tuple[Vector, Vector]:
    x = _check.array("features", features, bits=True)
    if x.ndim != 2 or x.size == 0:
        raise ValueError(
            "features must be a matrix with at least one row and one column, "
            f"got features of shape {x.shape}"
        )
    y = _check.array("labels", labels, bits=True)
    if y.shape != x.shape[:1]:
        raise ValueError(
            f"labels must be one for each row of features, got shapes {y.shape} and {x.shape}"
        )
    if not np.isin(y, (0.0, 1.0)).all():
        raise ValueError(f"labels must be 0 or 1, got labels={_check.shown(labels)}")
    return x, y


def _model(weights: object, features: object, labels: object) -> tuple[Vector, Vector, Vector]:
    w = _vector("weights", weights)
    x, y = _people(features, labels)
    if w.size != x.shape[1]:
        raise ValueError(
            f"weights must be one for each column of features, got shapes {w.shape} and {x.shape}"
        )
    return w, x, y
