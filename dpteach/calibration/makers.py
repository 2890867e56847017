"""Functions that map an amount of noise to a mechanism, for `calibrate`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

from dpteach import _check
from dpteach.mechanisms import Mechanism
from dpteach.notions import Guarantee

M = TypeVar("M", bound=Mechanism)

#: the parameters that set the amount of noise, and whether larger values are more private
_NOISE = {"sigma": True, "scale": True, "epsilon": False}


def maker(
    mechanism: Callable[..., M], target: Guarantee, sensitivity: float, fixed: dict[str, Any]
) -> tuple[Callable[[float], M], bool]:
    """Return a function from noise parameter to mechanism, and whether larger is more private."""
    if isinstance(mechanism, type):
        return _maker_of_class(mechanism, target, sensitivity, fixed)
    if not callable(mechanism):
        raise _no_noise(mechanism)
    _without(mechanism, sensitivity)
    for name, value in fixed.items():
        raise TypeError(
            f"{name} must be left out if mechanism is a function, got {name}={_check.shown(value)}"
        )

    def make(amount: float) -> M:
        made = mechanism(amount)
        if not isinstance(made, Mechanism):
            raise TypeError(
                "mechanism must be a function that returns mechanisms, "
                f"got mechanism={_check.shown(mechanism)}, which returns {_check.shown(made)}"
            )
        if made.adjacency is not target.adjacency:
            raise ValueError(
                "mechanism must return mechanisms with the adjacency of the target, "
                f"{target.adjacency}, got mechanism={_check.shown(mechanism)}, which returns "
                f"{_check.shown(made)}"
            )
        return made

    return make, True


def _maker_of_class(
    mechanism: type[M], target: Guarantee, sensitivity: float, fixed: dict[str, Any]
) -> tuple[Callable[[float], M], bool]:
    known = fields(mechanism) if issubclass(mechanism, Mechanism) else ()
    parameters = {f.name: f for f in known if f.init}
    noise = next((name for name in _NOISE if name in parameters), None)
    if noise is None or inspect.isabstract(mechanism):
        raise _no_noise(mechanism)
    for name, value in fixed.items():
        if name not in parameters or name in (noise, "adjacency"):
            raise TypeError(
                f"{name} must be a parameter of {mechanism.__name__} other than {noise} and "
                f"adjacency, got {name}={_check.shown(value)}"
            )
    given = fixed | {"adjacency": target.adjacency}
    if "sensitivity" not in parameters:
        _without(mechanism, sensitivity)
    elif parameters["sensitivity"].type == "int" and sensitivity.is_integer():
        given["sensitivity"] = int(sensitivity)
    else:
        given["sensitivity"] = sensitivity
    for name, parameter in inspect.signature(mechanism).parameters.items():
        if parameter.default is parameter.empty and name not in (noise, *given):
            raise TypeError(
                f"{name} must be given for {mechanism.__name__}, got {_check.shown(fixed)}"
            )
    return lambda amount: mechanism(**{noise: amount}, **given), _NOISE[noise]


def _no_noise(mechanism: object) -> TypeError:
    return TypeError(
        f"mechanism must be a class of mechanisms with one of {', '.join(_NOISE)}, or a function "
        f"from the noise to a mechanism, got mechanism={_check.shown(mechanism)}"
    )


def _without(mechanism: object, sensitivity: float) -> None:
    if sensitivity != 1:
        raise ValueError(
            "sensitivity must be 1 if the mechanism has no such parameter, "
            f"got sensitivity={sensitivity} and mechanism={_check.shown(mechanism)}"
        )
