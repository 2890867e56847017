"""The error for a missing package that only an optional extra of dpteach installs."""

from __future__ import annotations

from importlib.util import find_spec


def require(user: str, extra: str, *packages: str) -> None:
    """Raise an error if a package that a module of dpteach imports is not installed.

    Parameters
    ----------
    user : str
        The name of the module that imports the packages.
    extra : str
        The extra of dpteach that installs the packages.
    *packages : str
        The names of the packages, as in an import statement.

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
