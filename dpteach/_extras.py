"""Sentences about packages that only an extra of this package installs."""

from __future__ import annotations

from importlib.util import find_spec


def require(user: str, extra: str, *packages: str) -> None:
    """Refuse to import a module of this package without the packages that it uses.

    Parameters
    ----------
    user : str
        The module that uses them.
    extra : str
        The extra that installs them.
    *packages : str
        Their names, as they are imported.

    Raises
    ------
    ModuleNotFoundError
        If a package is missing; the message names the extra.

    Examples
    --------
    >>> require("dpteach.figures", "figures", "no_such_package")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ModuleNotFoundError: dpteach.figures needs no_such_package, which is not ...
    """
    for package in packages:
        if find_spec(package) is None:
            raise ModuleNotFoundError(
                f"{user} needs {package}, which is not installed: pip install 'dpteach[{extra}]'",
                name=package,
            )
