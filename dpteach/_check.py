"""Checks of arguments, with error messages of one form for the whole library.

A message names the parameter, the allowed values and the given value, as in
``sigma must be finite and > 0, got sigma=nan``.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Rational, Real
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

#: the largest accepted difference between 1 and a sum of probabilities
SUM_TOLERANCE = 1e-9
#: the largest integer that `count` accepts
LARGEST_COUNT = 2**63 - 1


@dataclass(frozen=True)
class Domain:
    """A set of real numbers, with the words that describe the set in error messages."""

    words: str
    contains: Callable[[float], bool]


FINITE = Domain("finite", math.isfinite)
EXTENDED_REAL = Domain("a number (inf and -inf are allowed)", lambda x: not math.isnan(x))
POSITIVE = Domain("finite and > 0", lambda x: 0 < x < math.inf)
NON_NEGATIVE = Domain("finite and >= 0", lambda x: 0 <= x < math.inf)
EXTENDED_NON_NEGATIVE = Domain(">= 0 (inf is allowed)", lambda x: x >= 0)
PROBABILITY = Domain("in [0, 1]", lambda x: 0 <= x <= 1)
POSITIVE_PROBABILITY = Domain("in (0, 1]", lambda x: 0 < x <= 1)
OPEN_PROBABILITY = Domain("in (0, 1)", lambda x: 0 < x < 1)
RENYI_ORDER = Domain(">= 0 (inf is allowed)", lambda x: x >= 0)
RENYI_DP_ORDER = Domain(">= 1 (inf is allowed)", lambda x: x >= 1)
ORDER_ABOVE_ONE = Domain("finite and > 1", lambda x: 1 < x < math.inf)


def shown(value: object) -> str:
    """Return the repr of a value for an error message, shortened to 80 characters."""
    try:
        if isinstance(value, np.generic):
            value = value.item()
        text = repr(value)
    # if the value's __repr__ raises an error, this error must not hide the message about the value
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 80 else text[:77] + "..."


def not_masked(name: str, value: object) -> None:
    """Raise an error if an array has masked entries, because numpy would use the hidden values."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ValueError(f"{name} must have no masked entries, got {name}={shown(value)}")


def exactly_one(epsilon: object, delta: object) -> None:
    """Raise an error unless exactly one of epsilon and delta is given and the other is None.

    >>> exactly_one(1.0, None)
    >>> exactly_one(1.0, 0.1)
    Traceback (most recent call last):
    TypeError: epsilon and delta must be given one at a time, got epsilon=1.0 and delta=0.1
    """
    if (epsilon is None) == (delta is None):
        raise TypeError(
            "epsilon and delta must be given one at a time, "
            f"got epsilon={shown(epsilon)} and delta={shown(delta)}"
        )


def real(name: str, value: object, domain: Domain) -> float:
    """Return the value as a float, or raise an error that names the parameter.

    Raises
    ------
    TypeError
        If the value is not a real number (a bool is not one).
    ValueError
        If the value is NaN or outside the domain.

    Examples
    --------
    >>> real("sigma", 2, POSITIVE)
    2.0
    >>> real("sigma", float("nan"), POSITIVE)
    Traceback (most recent call last):
    ValueError: sigma must be finite and > 0, got sigma=nan
    """
    if isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in "iuf":
        not_masked(name, value)
        value = value[()]  # an array without dimensions counts as a number, so use its only entry
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (Real, np.floating)):
        not_masked(name, value)
        raise TypeError(
            f"{name} must be a real number {domain.words}, "
            f"got {name}={shown(value)} of type {type(value).__name__}"
        )
    try:
        number = float(value)
    except OverflowError:
        number = math.inf if value > 0 else -math.inf  # type: ignore[operator]
        if isinstance(value, Rational) and domain.contains(number):
            raise ValueError(f"{name} must fit a float, got {name}={shown(value)}") from None
    if math.isnan(number) or not domain.contains(number):
        raise ValueError(f"{name} must be {domain.words}, got {name}={shown(value)}")
    return number


def count(name: str, value: object, *, minimum: int = 1) -> int:
    """Return the value as an int, or raise an error if it is not an integer of at least `minimum`.

    Raises
    ------
    TypeError
        If the value is not an integer (2.0 is not one).
    ValueError
        If the value is below the minimum, or above 2^63 - 1.

    Examples
    --------
    >>> count("k", -5)
    Traceback (most recent call last):
    ValueError: k must be an integer >= 1, got k=-5
    """
    words = f"an integer >= {minimum}"
    not_masked(name, value)
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be {words}, got {name}={shown(value)} of type bool")
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(
            f"{name} must be {words}, got {name}={shown(value)} of type {type(value).__name__}"
        ) from None
    if number < minimum:
        raise ValueError(f"{name} must be {words}, got {name}={shown(value)}")
    if number > LARGEST_COUNT:
        raise ValueError(f"{name} must be at most {LARGEST_COUNT}, got {name}={shown(value)}")
    return number


def is_iterable(value: object) -> TypeGuard[Iterable[Any]]:
    """Return whether a value can be iterated over; a numpy array without dimensions cannot.

    >>> is_iterable([1.0]), is_iterable(np.array(1.0))
    (True, False)
    """
    return isinstance(value, Iterable) and not (isinstance(value, np.ndarray) and value.ndim == 0)


def reals(name: str, value: object, domain: Domain) -> tuple[float, ...]:
    """Return one real number or a non-empty sequence of real numbers as a tuple of floats."""
    if isinstance(value, (Real, np.floating, str, bytes)) or not isinstance(value, Iterable):
        return (real(name, value, domain),)
    if isinstance(value, np.ma.MaskedArray):
        not_masked(name, value)
        value = value.filled()
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return (real(name, value.item(), domain),)
    plain: tuple[float, ...] = ()
    if isinstance(value, np.ndarray) and value.dtype.kind in "iuf" and value.ndim == 1:
        plain = tuple(value.astype(np.float64).tolist())
    elif isinstance(value, (list, tuple)) and all(type(x) is float for x in value):
        plain = tuple(value)
    if plain and all(map(domain.contains, plain)) and not any(map(math.isnan, plain)):
        return plain
    numbers = tuple(real(f"{name}[{i}]", x, domain) for i, x in enumerate(value))
    if not numbers:
        raise ValueError(f"{name} must hold at least one number {domain.words}, got {name}=()")
    return numbers


def array(name: str, value: object, *, bits: bool = False) -> NDArray[np.float64]:
    """Return finite real numbers as a new float64 array; bools are numbers only if `bits` is true.

    Raises
    ------
    TypeError
        If the entries are not real numbers.
    ValueError
        If the rows have different lengths, or an entry is NaN or infinite.
    """
    not_masked(name, value)
    try:
        raw = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} must be rectangular, got {name}={shown(value)}") from error
    if raw.dtype == object and raw.size and all(isinstance(x, Rational) for x in raw.flat):
        try:
            raw = raw.astype(np.float64)
        except OverflowError:
            raise ValueError(
                f"{name} must hold numbers that fit a float, got {name}={shown(value)}"
            ) from None
    if raw.dtype.kind not in ("biuf" if bits else "iuf"):
        if raw.size == 0 and raw.dtype.kind == "O":
            raise ValueError(f"{name} must hold real numbers, got {name}={shown(value)}")
        raise TypeError(
            f"{name} must hold real numbers, got {name}={shown(value)} of type "
            f"{type(value).__name__}"
        )
    numbers = np.array(raw, dtype=np.float64)
    if not np.all(np.isfinite(numbers)):
        raise ValueError(f"{name} must hold finite numbers only, got {name}={shown(value)}")
    return numbers


def distribution(name: str, value: object) -> NDArray[np.float64]:
    """Check and return a discrete distribution: a vector of probabilities that sum to one.

    Returns
    -------
    ndarray of shape (n,), n >= 1, read-only

    Examples
    --------
    >>> distribution("p", [0.5, 0.6])
    Traceback (most recent call last):
    ValueError: p must sum to 1 within 1e-09, got p=[0.5, 0.6] with sum 1.1
    """
    vector = array(name, value)
    if vector.ndim != 1 or vector.size == 0:
        raise ValueError(
            f"{name} must be a non-empty vector of probabilities, "
            f"got {name}={shown(value)} of shape {vector.shape}"
        )
    outside = np.flatnonzero((vector < 0) | (vector > 1))
    if outside.size:
        i = int(outside[0])
        raise ValueError(
            f"{name} must hold probabilities in [0, 1], got {name}[{i}]={shown(vector[i])}"
        )
    total = math.fsum(vector)
    if abs(total - 1) > SUM_TOLERANCE:
        raise ValueError(
            f"{name} must sum to 1 within {SUM_TOLERANCE:g}, "
            f"got {name}={shown(value)} with sum {total:.12g}"
        )
    vector.flags.writeable = False
    return vector


def distributions(p: object, q: object) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Check that p and q are discrete distributions on equally many outcomes, and return both.

    Examples
    --------
    >>> distributions([0.5, 0.5], [1.0])
    Traceback (most recent call last):
    ValueError: p and q must have the same length, got p of length 2 and q of length 1
    """
    left, right = distribution("p", p), distribution("q", q)
    if left.size != right.size:
        raise ValueError(
            f"p and q must have the same length, "
            f"got p of length {left.size} and q of length {right.size}"
        )
    return left, right


def generator(rng: object) -> np.random.Generator:
    """Return `rng` if it is a numpy Generator, or raise an error that says how to create one."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(
            "rng must be a numpy.random.Generator, such as numpy.random.default_rng(), "
            f"got rng={shown(rng)} of type {type(rng).__name__}"
        )
    return rng


def one_of(name: str, value: object, choices: Sequence[str]) -> str:
    """Return the value if it is one of the choices, or raise an error that lists them.

    Examples
    --------
    >>> one_of("noise", "gauss", ["laplace", "gumbel"])
    Traceback (most recent call last):
    ValueError: noise must be one of 'laplace', 'gumbel', got noise='gauss'
    """
    if not isinstance(value, str) or value not in choices:
        words = ", ".join(map(repr, choices))
        raise ValueError(f"{name} must be one of {words}, got {name}={shown(value)}")
    return value


def instance(name: str, value: object, kind: type | tuple[type, ...]) -> Any:
    """Return the value if it is an instance of the kind, or raise an error that names the kind."""
    if not isinstance(value, kind):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        words = " or ".join(k.__name__ for k in kinds)
        raise TypeError(
            f"{name} must be of type {words}, got {name}={shown(value)} "
            f"of type {type(value).__name__}"
        )
    return value


def integers(name: str, value: object, *, largest: int) -> NDArray[np.int64]:
    """Return integers of any shape as a new int64 array; 2.0 is accepted, 2.5 and True not.

    Raises
    ------
    TypeError
        If the entries are not real numbers.
    ValueError
        If an entry is not an integer, or larger than `largest` in absolute value.

    Examples
    --------
    >>> integers("value", [1, 2.0], largest=10)
    array([1, 2])
    >>> integers("value", 0.5, largest=10)
    Traceback (most recent call last):
    ValueError: value must hold integers, got value=0.5
    """
    numbers = array(name, value)
    if np.any(numbers != np.floor(numbers)):
        raise ValueError(f"{name} must hold integers, got {name}={shown(value)}")
    if np.any(np.abs(numbers) > largest):
        raise ValueError(
            f"{name} must hold integers from {-largest} to {largest}, got {name}={shown(value)}"
        )
    # convert to integers directly and not by way of floats, which have only 53 significant bits
    return np.array(value, dtype=np.int64)


def channel(name: str, value: object, *, inputs: int | None = None) -> NDArray[np.float64]:
    """Check and return a channel: a matrix whose rows are the output distributions of the inputs.

    If `inputs` is given, the matrix must have this number of rows.

    Returns
    -------
    ndarray of shape (inputs, outputs), read-only

    Examples
    --------
    >>> channel("channel", [[0.5, 0.5], [1.0, 0.1]])
    Traceback (most recent call last):
    ValueError: channel[1] must sum to 1 within 1e-09, got channel[1]=[1.0, 0.1] with sum 1.1
    """
    matrix = array(name, value)
    if matrix.ndim != 2 or matrix.size == 0:
        raise ValueError(
            f"{name} must be a matrix with a row of probabilities for each input, "
            f"got {name}={shown(value)} of shape {matrix.shape}"
        )
    if inputs is not None and len(matrix) != inputs:
        raise ValueError(
            f"{name} must have a row for each of {inputs} inputs, "
            f"got {name} with {len(matrix)} rows"
        )
    for i, row in enumerate(matrix.tolist()):
        distribution(f"{name}[{i}]", row)
    matrix.flags.writeable = False
    return matrix
