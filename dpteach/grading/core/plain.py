"""Plain data: the only values that pass between a student's code and the grader.

Each direction has its own functions:

- `encode` and `decode` convert the *arguments* of a case to JSON data and back. Values that JSON
  lacks are tagged: ``{"float": "inf"}``, ``{"array": [...]}``, ``{"tuple": [...]}``.
- `reduce` converts what a student's function *returned* to exact built-in numbers and nested lists
  of them. It refuses objects of any other class, including subclasses of ``float``, because such an
  object could claim to equal every value.

`pack` and `unpack` convert the many returned values of a random function to a block of floats and
back.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import zlib
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

#: the largest number of numbers in a returned value, and the deepest nesting of its lists
MAX_NUMBERS: Final = 1_000_000
MAX_DEPTH: Final = 8

#: the largest number of entries of a returned dict, in checks that allow dicts
MAX_ENTRIES: Final = 20

#: the largest number of bits of an integer in a returned value. The largest float has 1024 bits
MAX_BITS: Final = 4096

#: the number of entries above which a message shows only the first entries of an array
SHOWN_NUMBERS: Final = 12

#: the largest number of characters that a message shows of one text in a student's value, and of
#: the whole value
SHOWN_CHARACTERS: Final = 200
SHOWN_IN_ALL: Final = 4_000

#: classes of exact numbers, each as the names of its module and class, so that the modules are
#: imported only if they are used
_EXACT: Final = frozenset({("fractions", "Fraction"), ("decimal", "Decimal")})

#: types of values that JSON stores unchanged, except for floats that are not finite
_SAID: Final = frozenset({type(None), bool, int, float, str})

#: the data types of arrays that `decode` accepts
_DTYPES: Final = frozenset(np.dtype(code).name for code in "?bBhHiIlLqQefdg")


def squeezed(data: Any) -> str:
    """Compress JSON data to a short text, which `unsqueezed` restores.

    Examples
    --------
    >>> text = squeezed([0, 1] * 1000)
    >>> len(text) < 100, unsqueezed(text) == [0, 1] * 1000
    (True, True)
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode(), 6)).decode()


def unsqueezed(text: str) -> Any:
    """Restore the data from a text that `squeezed` made.

    The text must come from a trusted source, because the size of the data has no limit.
    """
    return json.loads(zlib.decompress(base64.b64decode(text)))


class NotPlainError(Exception):
    """Error for a returned value that is not made of plain numbers; the message describes it."""


def _flat(values: list[Any]) -> bool:
    """Return whether JSON stores all values of a list unchanged, so that none must be converted."""
    kinds = set(map(type, values))
    if kinds == {float}:
        return all(map(math.isfinite, values))
    finite = float not in kinds or all(math.isfinite(x) for x in values if type(x) is float)
    return kinds <= _SAID and finite


def encode(value: object) -> Any:
    """Return a value as JSON data, from which `decode` makes an equal value.

    Parameters
    ----------
    value
        None, a bool, a number, a string, or a list, tuple, dict (string keys) or numpy array of
        these, nested to any depth.

    Raises
    ------
    TypeError
        If the value, or a value in it, is of another type.

    Examples
    --------
    >>> encode([0.5, float("inf")])
    [0.5, {'float': 'inf'}]
    """
    # a shortcut for the most frequent types, because attacks return thousands of numbers and lists
    if type(value) is list:
        return value.copy() if _flat(value) else [encode(item) for item in value]
    if type(value) in (bool, int, str):
        return value
    # test for numpy's types first, because float64 is also a subclass of float
    if isinstance(value, np.generic):
        item = value.item()
        return encode(float(value) if isinstance(item, np.generic) else item)
    if value is None or isinstance(value, (int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, complex):
        return {"complex": [encode(value.real), encode(value.imag)]}
    if isinstance(value, list):
        return value.copy() if _flat(value) else [encode(item) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [encode(item) for item in value]}
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "biuf":
            raise TypeError(f"value must hold real numbers, got value of dtype {value.dtype}")
        return {"array": encode(value.tolist()), "dtype": value.dtype.name}
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise TypeError(f"value must have strings as keys, got value={shown(value)}")
        return {"dict": {key: encode(item) for key, item in value.items()}}
    raise TypeError(
        "value must be None, a bool, a number, a string, or a list, tuple, dict or array of "
        f"these, got value={shown(value)} of type {type(value).__name__}"
    )


def decode(data: Any) -> Any:
    """Return the value that `encode` converted to these JSON data.

    Raises
    ------
    ValueError
        If the data have a tag that `encode` does not write.

    Examples
    --------
    >>> decode({"tuple": [1, {"float": "-inf"}]})
    (1, -inf)
    """
    if isinstance(data, list):
        return data.copy() if _SAID.issuperset(map(type, data)) else [decode(item) for item in data]
    if not isinstance(data, dict):
        return data
    tags = set(data) - {"dtype"}
    if tags == {"float"}:
        return float(data["float"])
    if tags == {"complex"}:
        return complex(decode(data["complex"][0]), decode(data["complex"][1]))
    if tags == {"tuple"}:
        return tuple(decode(item) for item in data["tuple"])
    if tags == {"array"}:
        if data.get("dtype", "float64") not in _DTYPES:
            raise ValueError(f"dtype must be that of real numbers, got {shown(data['dtype'])}")
        return np.array(decode(data["array"]), dtype=data.get("dtype", "float64"))
    if tags == {"dict"} and isinstance(data["dict"], dict):
        return {key: decode(item) for key, item in data["dict"].items()}
    raise ValueError(
        "data must be tagged with one of float, complex, tuple, array, dict, "
        f"got data={shown(data)}"
    )


#: the data type of arrays of floats, created only once because `reduce` is called very often
_FLOATS: Final = np.dtype(np.float64)


def reduce(value: Any) -> Any:
    """Convert the value that a student's function returned to built-in numbers and lists of them.

    NumPy numbers become Python numbers, fractions and decimals become floats, and arrays and tuples
    become lists. None and strings remain, so that a message can show them.

    Returns
    -------
    None, bool, int, float, str, or a nested list of these

    Raises
    ------
    NotPlainError
        If the value, or a value in it, is of another type.

    Examples
    --------
    >>> import numpy as np
    >>> from fractions import Fraction
    >>> reduce((np.float64(0.5), np.arange(2), Fraction(1, 4)))
    [0.5, [0, 1], 0.25]
    """
    # a shortcut for numbers and arrays of floats, because random functions and attacks return
    # thousands of these
    kind = type(value)
    if kind is float or kind is bool or (kind is int and value.bit_length() <= MAX_BITS):
        return value
    if kind is np.ndarray and value.dtype is _FLOATS and value.size < MAX_NUMBERS:
        return value.tolist()
    budget = [MAX_NUMBERS]
    return _reduce(value, 0, budget)


def reduce_record(value: object) -> Any:
    """Convert a returned value by `reduce`; if it is a dict with string keys, convert its values.

    Raises
    ------
    NotPlainError
        If a key is not a string, if the dict has more than `MAX_ENTRIES` entries, or if `reduce`
        raises this error.

    Examples
    --------
    >>> reduce_record({"mechanism": "Gaussian", "sigma": np.float64(33.9)})
    {'mechanism': 'Gaussian', 'sigma': 33.9}
    """
    if type(value) is not dict:
        return reduce(value)
    if len(value) > MAX_ENTRIES:
        raise NotPlainError(f"a dict with more than {MAX_ENTRIES} entries")
    if not all(type(key) is str for key in value):
        raise NotPlainError("a dict with keys that are no strings")
    budget = [MAX_NUMBERS]
    return {key[:SHOWN_CHARACTERS]: _reduce(item, 1, budget) for key, item in value.items()}


def _numbers(values: list[Any] | tuple[Any, ...]) -> bool:
    """Return whether a list contains only floats, or only integers of at most `MAX_BITS` bits."""
    kinds = set(map(type, values))
    if kinds == {int}:
        return bool(max(max(values), -min(values)).bit_length() <= MAX_BITS)
    return kinds == {float}


def _reduce(value: Any, depth: int, budget: list[int]) -> Any:
    # compare types by ``is``, because an instance of a subclass could have methods that the
    # student wrote
    kind = type(value)
    budget[0] -= 1
    if budget[0] < 0:
        raise NotPlainError(f"more than {MAX_NUMBERS} numbers")
    if depth > MAX_DEPTH:
        raise NotPlainError(f"lists nested more than {MAX_DEPTH} deep")
    if kind is int and value.bit_length() > MAX_BITS:
        raise NotPlainError(f"an integer of more than {MAX_BITS} bits")
    if value is None or kind in (bool, int, float):
        return value
    if kind is str:
        return value[: SHOWN_CHARACTERS + 1]
    if kind is complex:
        raise NotPlainError("a complex number")
    if kind in (list, tuple):
        if len(value) > budget[0]:
            raise NotPlainError(f"more than {MAX_NUMBERS} numbers")
        if depth < MAX_DEPTH and _numbers(value):
            budget[0] -= len(value)
            return list(value)
        return [_reduce(item, depth + 1, budget) for item in value]
    if kind is np.ndarray:
        if value.dtype.kind not in "biuf":
            raise NotPlainError(f"an array of dtype {value.dtype}")
        if value.size > budget[0]:
            raise NotPlainError(f"more than {MAX_NUMBERS} numbers")
        budget[0] -= int(value.size)
        return value.tolist()
    if kind.__module__ == "numpy" and issubclass(kind, np.generic):
        if issubclass(kind, (np.bool_, np.integer, np.floating)):
            item = value.item()
            return item if type(item) in (bool, int, float) else float(value)
        raise NotPlainError(f"a number of type {kind.__name__}")
    if (kind.__module__, kind.__name__) in _EXACT:
        try:
            return float(value)
        except Exception:  # the conversion may run a student's code
            raise NotPlainError("a fraction that is too large for a float") from None
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    if issubclass(kind, (float, int, str, list, tuple, np.ndarray)):
        raise NotPlainError(f"an object of the class {name[:60]}, derived from a built-in one")
    if callable(value):
        raise NotPlainError("a function: is a call missing its brackets?")
    raise NotPlainError(f"an object of the type {name[:60]}")


def pack(values: Any) -> dict[str, Any]:
    """Return an array of numbers as compact JSON data, from which `unpack` makes an equal array.

    Parameters
    ----------
    values
        An array, or nested lists of numbers of one shape; they become float64.

    Raises
    ------
    TypeError, ValueError, OverflowError
        If the values are not numbers, have different shapes, or are too large for a float.

    Examples
    --------
    >>> pack([[0.5], [1.5]])
    {'f8': 'AAAAAAAA4D8AAAAAAAD4Pw==', 'shape': [2, 1]}
    """
    array = np.asarray(values, dtype="<f8")
    return {"f8": base64.b64encode(array.tobytes()).decode(), "shape": list(array.shape)}


def unpack(data: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the array that `pack` converted to these data; the data may be untrusted.

    Raises
    ------
    ValueError
        If the data are not what `pack` writes.

    Examples
    --------
    >>> unpack(pack([0.5, 2])).tolist()
    [0.5, 2.0]
    """
    shape = data.get("shape") if isinstance(data, dict) else None
    text = data.get("f8") if isinstance(data, dict) else None
    if (
        not isinstance(text, str)
        or not isinstance(shape, list)
        or len(shape) > MAX_DEPTH
        or not all(type(n) is int and 0 <= n <= MAX_NUMBERS for n in shape)
    ):
        raise ValueError(f"data must hold f8 and shape, got data={shown(data)}")
    try:
        block = base64.b64decode(text.encode("ascii"), validate=True)
    except (ValueError, binascii.Error):
        raise ValueError("data must hold base64 text in f8") from None
    if len(block) != 8 * math.prod(shape) or len(block) > 8 * MAX_NUMBERS:
        raise ValueError(f"data must hold {math.prod(shape)} numbers, got {len(block)} bytes")
    return np.frombuffer(block, dtype="<f8").astype(np.float64).reshape(shape)


def shown(value: object) -> str:
    """Return the text of a value for a message, in at most 4,000 characters.

    Numbers keep all digits, and long arrays are cut after the first numbers.

    Examples
    --------
    >>> shown([0.5, 1 / 3])
    '[0.5, 0.3333333333333333]'
    """
    text = _shown(value, [SHOWN_IN_ALL])
    return text if len(text) <= SHOWN_IN_ALL else text[: SHOWN_IN_ALL - 3] + "..."


def _shown(value: object, room: list[int], depth: int = 0) -> str:
    """Return a value as a text for a message; dots if the message is full or nesting too deep."""
    room[0] -= len(", ")
    if room[0] <= 0 or depth > 2 * MAX_DEPTH:
        return "..."
    text = _text_of(value, room, depth)
    room[0] -= 0 if isinstance(value, (list, tuple)) else len(text)
    return text


def _text_of(value: object, room: list[int], depth: int) -> str:
    if isinstance(value, np.ndarray):
        if value.size > SHOWN_NUMBERS:
            first = ", ".join(repr(x) for x in value.ravel()[:4].tolist())
            return f"array of shape {value.shape}: {first}, ..."
        return f"array({value.tolist()!r})"
    if isinstance(value, (list, tuple)) and len(value) > SHOWN_NUMBERS:
        first = ", ".join(_shown(x, room, depth + 1) for x in value[:4])
        return f"[{first}, ... {len(value)} in all]"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(_shown(x, room, depth + 1) for x in value)
        if isinstance(value, list):
            return f"[{inside}]"
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    try:
        text = repr(value.item() if isinstance(value, np.generic) else value)
    except Exception:  # an error in the object's __repr__ must not replace the message
        text = f"<{type(value).__name__}>"
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 3] + "..."
