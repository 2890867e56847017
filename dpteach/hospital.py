"""The county hospital of the course: its patients, the county's voters and a query service.

All people are made up. A fixed seed generates a county of 30,000 inhabitants, the register of its
voters, which anyone may buy, and the table of a hospital that treated 3,000 of them in 2025. Both
tables are the same on every machine. Their columns allow the attacks of the course:

=============  ============================================================================
``name``       first name and surname; no two inhabitants share both
``sex``        "f" or "m"
``born``       date of birth, as a numpy day
``postcode``   one of five ZIP codes with different numbers of inhabitants
``admitted``   date of admission in 2025; this and all columns below: hospital's table only
``days``       the number of nights that the patient stayed, >= 1
``ward``       the ward that treated the patient
``diagnosis``  138 patients, one of whom is Ada, have the diagnosis "depression"
``smoker``     whether the patient smokes
``cost``       the cost of the stay, in crowns; a few stays are very expensive
=============  ============================================================================

Ada Lindquist is in both tables. The attacker wants to know her diagnosis.
"""

from __future__ import annotations

import functools
import html
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check

__all__ = ["ADA", "Desk", "Table", "marker_shares", "markers", "patients", "register"]

#: the patient whose diagnosis the attacker wants to know
ADA = "Ada Lindquist"

_SEED = 20250101
_INHABITANTS = 30_000
_PATIENTS = 3_000
_DEPRESSED = 138
_TODAY = np.datetime64("2026-01-01", "D")
#: the number of rows that a printed table shows
_SHOWN = 5

_WOMEN = (
    "Ada Agnes Alice Alma Anna Astrid Beatrice Bertha Clara Dora Edith Elin Ella Elsa Emma Ester "
    "Eva Frida Gerda Greta Hanna Hedda Helen Hilda Ida Inga Ines Irma Iris Judith Julia Karin "
    "Kaia Laura Lena Lily Lisa Lotte Lucy Maja Maria Martha Mia Nina Nora Olga Paula Petra Ruth "
    "Rosa Sara Selma Sigrid Sonja Stella Thea Tilda Ursula Vera Wilma"
)
_MEN = (
    "Adam Albert Alfred Anton Arne Arthur Axel Bernard Bruno Carl Conrad Daniel David Edgar Emil "
    "Eric Ernest Felix Frank Fritz George Gustav Hans Harald Henry Hugo Isak Ivan Jacob Jens John "
    "Jonas Julius Karl Klaus Lars Leo Ludwig Magnus Martin Max Moritz Nils Noah Olaf Oscar Otto "
    "Paul Peter Ralph Robert Rolf Samuel Sven Theo Thomas Ulf Victor Walter William"
)
#: the halves of made-up surnames: a surname is a first half followed by a second half
_FIRST_HALVES = (
    "Ash Bar Brook Carl Dal East Fair Green Hart Holm Kirk Lang Lind Marsh Nor Oak Rose Sand Stone "
    "Thorn Wal West Win Wood"
)
_SECOND_HALVES = "berg bury by croft dale feld ford gate ham ley quist stad ton well"
#: for each ZIP code, the share of the inhabitants who live in it or in an earlier one of this list
_POSTCODES = {"4101": 0.40, "4102": 0.65, "4103": 0.82, "4104": 0.94, "4105": 1.0}
#: for each diagnosis except depression, the ward that treats it and a cumulative share: of the
#: patients without depression, this share has it or an earlier diagnosis of this list
_DIAGNOSES = {
    "pneumonia": ("medicine", 0.17),
    "heart failure": ("medicine", 0.33),
    "diabetes": ("medicine", 0.45),
    "asthma": ("medicine", 0.53),
    "HIV infection": ("medicine", 0.55),
    "hip fracture": ("surgery", 0.68),
    "appendicitis": ("surgery", 0.80),
    "stroke": ("neurology", 0.89),
    "epilepsy": ("neurology", 0.95),
    "alcohol dependence": ("psychiatry", 1.0),
}


class Table:
    """A table of named columns; a mask, a slice or a list of row numbers selects rows.

    Parameters
    ----------
    columns : mapping of str to array_like
        At least one column; all have one dimension and the same length. The table stores read-only
        copies.

    Raises
    ------
    ValueError, TypeError
        If there is no column, or the columns are not one-dimensional or differ in length.

    Examples
    --------
    >>> people = Table({"name": ["Ada", "Emil"], "age": [36, 41]})
    >>> len(people), people["age"].mean()
    (2, np.float64(38.5))
    >>> people[people["age"] > 40]
    name  age
    Emil  41
    1 row
    """

    def __init__(self, columns: Mapping[str, ArrayLike]) -> None:
        if not isinstance(columns, Mapping) or not columns:
            raise TypeError(
                "columns must be a mapping of names to columns, at least one, "
                f"got columns={_check.shown(columns)}"
            )
        self._columns: dict[str, NDArray[Any]] = {}
        for name, values in columns.items():
            column = np.array(values)
            if column.ndim != 1:
                raise ValueError(
                    f"columns must have one dimension each, got {name!r} of shape {column.shape}"
                )
            column.flags.writeable = False
            self._columns[name] = column
        lengths = {name: len(column) for name, column in self._columns.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"columns must be equally long, got lengths {lengths}")

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns.

        >>> len(patients().columns)
        10
        """
        return tuple(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    @overload
    def __getitem__(self, key: str) -> NDArray[Any]: ...
    @overload
    def __getitem__(self, key: slice | NDArray[Any] | list[int]) -> Table: ...
    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key not in self._columns:
                raise KeyError(f"the table has the columns {list(self._columns)}, not {key!r}")
            return self._columns[key]
        if not isinstance(key, slice):
            key = np.asarray(key)
            if key.ndim != 1:
                raise TypeError(
                    "rows are selected by a slice, a mask or a list of numbers, "
                    f"got {_check.shown(key)}"
                )
        return Table({name: column[key] for name, column in self._columns.items()})

    def without(self, *names: str) -> Table:
        """Return the table without the columns `names`.

        Raises
        ------
        KeyError
            If the table has no column of a given name.

        Examples
        --------
        >>> int(Table({"name": ["Ada"], "age": [36]}).without("name")["age"][0])
        36
        """
        for name in names:
            self[name]
        return Table({name: column for name, column in self._columns.items() if name not in names})

    def _rows(self) -> list[list[str]]:
        first = [column[:_SHOWN] for column in self._columns.values()]
        return [[str(value) for value in row] for row in zip(*first, strict=True)]

    def _size(self) -> str:
        count = "1 row" if len(self) == 1 else f"{len(self):,} rows"
        return count if len(self) <= _SHOWN else f"{count}, the first {_SHOWN} shown"

    def __repr__(self) -> str:
        lines = [list(self._columns), *self._rows()]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        table = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        ]
        return "\n".join([*table, self._size()])

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in self)
        rows = [[f"<td>{html.escape(cell)}</td>" for cell in row] for row in self._rows()]
        body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
        return (
            f'<table class="dataframe"><caption>{self._size()}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


def patients() -> Table:
    """Return the hospital's table: 3,000 rows, one for each patient of 2025, in random order.

    Returns
    -------
    Table
        A table with all columns that the module's docstring lists, the same at each call.

    Examples
    --------
    >>> table = patients()
    >>> len(table), int((table["diagnosis"] == "depression").sum())
    (3000, 138)
    >>> ada = table[table["name"] == ADA]
    >>> str(ada["born"][0]), str(ada["diagnosis"][0])
    ('1989-04-12', 'depression')
    """
    return _patients()


def register() -> Table:
    """Return the table of the county's voters, who are about four in five adults.

    Returns
    -------
    Table
        A table with the columns name, sex, born and postcode, sorted by name.

    Examples
    --------
    >>> voters = register()
    >>> len(voters), voters.columns, ADA in voters["name"]
    (18816, ('name', 'sex', 'born', 'postcode'), True)
    """
    return _register()


def markers(count: int = 1000) -> NDArray[np.bool_]:
    """Return which genetic markers each patient has, in the order of the rows of `patients()`.

    Markers are independent of each other, between patients, and of all columns of the table.

    Parameters
    ----------
    count : int
        The number of markers, from 1 to 10,000. A larger count adds columns and keeps the first
        ones.

    Returns
    -------
    ndarray of bool, shape (3000, count)
        A row for each patient and a column for each marker.

    Raises
    ------
    ValueError, TypeError
        If count is not an integer in this range.

    Examples
    --------
    >>> markers(200).shape
    (3000, 200)
    >>> bool(np.array_equal(markers(200), markers(300)[:, :200]))
    True
    """
    shares = marker_shares(count)
    uniform = _stream("markers").random((count, _PATIENTS))
    return np.ascontiguousarray((uniform < shares[:, None]).T)


def marker_shares(count: int = 1000) -> NDArray[np.float64]:
    """Return, for each genetic marker, the share of all people who have it; shares are public.

    Parameters
    ----------
    count : int
        The number of markers, from 1 to 10,000.

    Returns
    -------
    ndarray of float, shape (count,)
        Numbers between 0.1 and 0.5.

    Raises
    ------
    ValueError, TypeError
        If count is not an integer in this range.

    Examples
    --------
    >>> shares = marker_shares(1000)
    >>> round(float(shares.min()), 2), round(float(shares.max()), 2), round(float(shares.mean()), 2)
    (0.1, 0.5, 0.3)
    """
    count = _check.count("count", count)
    if count > 10_000:
        raise ValueError(f"count must be at most 10000, got count={count}")
    return 0.1 + 0.4 * _stream("marker shares").random(count)


@dataclass
class Desk:
    """The query service of the course's hospital, which answers counting queries about a table.

    The rules of the service look careful, but the course's attacks show that they do not protect
    the patients.

    Parameters
    ----------
    table : Table
        The table whose rows are counted.
    fewest : int
        The service refuses a query that counts fewer rows than this number, >= 0.
    noise : float
        The standard deviation of the Gaussian noise, drawn anew for each answer, >= 0.
    rng : numpy.random.Generator, optional
        The source of the noise; required if noise > 0.

    Raises
    ------
    ValueError, TypeError
        If a parameter is out of range or of a wrong type, or noise > 0 and rng is missing.

    Examples
    --------
    >>> table = patients()
    >>> desk = Desk(table, fewest=10)
    >>> desk.count(table["diagnosis"] == "depression")
    138.0
    >>> print(desk.count(table["name"] == ADA))
    None
    >>> desk.asked
    2
    """

    table: Table
    fewest: int = 0
    noise: float = 0.0
    rng: np.random.Generator | None = None
    #: the number of queries so far, including refused queries
    asked: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        _check.instance("table", self.table, Table)
        self.fewest = _check.count("fewest", self.fewest, minimum=0)
        self.noise = _check.real("noise", self.noise, _check.NON_NEGATIVE)
        if self.noise > 0 and self.rng is None:
            raise TypeError(f"rng must be given where there is noise, got noise={self.noise!r}")
        if self.rng is not None:
            _check.generator(self.rng)

    def count(self, rows: NDArray[np.bool_]) -> float | None:
        """Return how many rows a mask selects, plus noise, or None if fewer than `fewest`.

        Parameters
        ----------
        rows : ndarray of bool
            A mask with one entry for each row of the table.

        Returns
        -------
        float or None
            The noisy count, or None.

        Raises
        ------
        ValueError, TypeError
            If the mask is not an array of bools, or its length is not that of the table.

        Examples
        --------
        >>> table = patients()
        >>> desk = Desk(table, noise=10.0, rng=np.random.default_rng(1))
        >>> round(desk.count(table["diagnosis"] == "depression"), 1)
        141.5
        """
        if not isinstance(rows, np.ndarray) or rows.dtype != bool:
            raise TypeError(f"rows must be an array of bools, got rows={_check.shown(rows)}")
        if rows.shape != (len(self.table),):
            raise ValueError(
                f"rows must have the shape ({len(self.table)},), got an array of {rows.shape}"
            )
        self.asked += 1
        count = int(np.count_nonzero(rows))
        if count < self.fewest:
            return None
        return count + self.noise * self.rng.standard_normal() if self.rng else float(count)


def _stream(purpose: str) -> np.random.Generator:
    """Return a random generator whose fixed seed depends on the purpose of the random numbers.

    Use only its method `random`, whose output is the same in all versions of numpy; the output of
    its other methods may change.
    """
    return np.random.default_rng([_SEED, *purpose.encode()])


def _choice(uniform: NDArray[np.float64], cumulative: Iterable[float]) -> NDArray[np.intp]:
    return np.searchsorted(np.array(list(cumulative)), uniform, side="right")


@functools.cache
def _county() -> Table:
    """Return the table of all inhabitants of the county, of whom Ada is the first."""
    u = _stream("county")
    woman = u.random(_INHABITANTS) < 0.5
    woman[0] = True
    names = np.empty(_INHABITANTS, dtype="U24")
    for who, first in ((woman, _WOMEN), (~woman, _MEN)):
        everyone = np.array(
            [
                f"{name} {start}{end}"
                for name in first.split()
                for start in _FIRST_HALVES.split()
                for end in _SECOND_HALVES.split()
            ]
        )
        names[who] = everyone[np.argsort(u.random(len(everyone)))][: np.count_nonzero(who)]
    names[names == ADA], names[0] = names[0], ADA
    age = u.random(_INHABITANTS)
    old = u.random(_INHABITANTS) < 0.28
    years = np.where(old, 60 + 38 * (1 - np.sqrt(1 - age)), 60 * age)
    years[0] = 36.7205
    place = _choice(u.random(_INHABITANTS), _POSTCODES.values())
    place[0] = 1
    return Table(
        {
            "name": names,
            "sex": np.where(woman, "f", "m"),
            "born": _TODAY - np.floor(365.25 * years).astype(int) - 1,
            "postcode": np.array(list(_POSTCODES))[place],
        }
    )


@functools.cache
def _register() -> Table:
    county = _county()
    adult = county["born"] <= _TODAY - np.timedelta64(18 * 365 + 5, "D")
    listed = adult & (_stream("register").random(len(county)) < 0.8)
    listed[0] = True
    voters = county[listed]
    return voters[np.argsort(voters["name"])]


@functools.cache
def _patients() -> Table:
    county, u = _county(), _stream("patients")
    age = (_TODAY - county["born"]).astype(int) / 365.25
    # draw an arrival time for each inhabitant, on average earlier for older people; the 3,000
    # earliest become patients
    arrival = -np.log1p(-u.random(len(county))) / (0.3 + (age / 50) ** 2)
    arrival[0] = 0.0
    chosen = np.argsort(arrival)[:_PATIENTS]
    chosen = chosen[np.argsort(u.random(_PATIENTS))]
    people, age = county[chosen], age[chosen]
    ada = people["name"] == ADA

    kind = _choice(u.random(_PATIENTS), (share for _, share in _DIAGNOSES.values()))
    diagnosis = np.array(list(_DIAGNOSES))[kind].astype("U24")
    ward = np.array([ward for ward, _ in _DIAGNOSES.values()])[kind]
    turn = np.where((age > 16) & (age < 75), u.random(_PATIENTS), 2.0)
    turn[ada] = -1.0
    depressed = np.argsort(turn)[:_DEPRESSED]
    diagnosis[depressed], ward[depressed] = "depression", "psychiatry"

    days = 1 + np.floor(-np.log1p(-u.random(_PATIENTS)) * np.where(ward == "psychiatry", 20, 6))
    # draw costs from a distribution with a heavy tail: one stay in a hundred costs more than 21
    # times the median
    cost = days * 400 * (1 - u.random(_PATIENTS)) ** -0.6
    smoker = (u.random(_PATIENTS) < 0.38) & (age > 14)
    return Table(
        {name: people[name] for name in people}
        | {
            # use the day of birth if a random date of admission is earlier
            "admitted": np.maximum(
                _TODAY - 365 + np.floor(365 * u.random(_PATIENTS)).astype(int), people["born"]
            ),
            "days": days.astype(int),
            "ward": ward,
            "diagnosis": diagnosis,
            "smoker": smoker,
            "cost": np.round(cost).astype(int),
        }
    )
