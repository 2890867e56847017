"""A parser of times that are given as text, such as the time of a submission or a due date.

nbgrader's own parser takes an abbreviation that it does not know (``CEST``) for UTC, and an offset
(``+0900``) for seconds. The parser in this module understands the whole text, or raises an error
that names the part that it does not understand.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from dpteach._language import catalog

_, _n = catalog("course")

_TEXT: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(\S*)", re.ASCII
)
_OFFSET: Final = re.compile(r"([+-])(\d\d)(?::?(\d\d))?", re.ASCII)


class TimeZoneError(ValueError):
    """Error for an unknown or ambiguous time zone."""


def read_time(text: str, home: str | None = None) -> datetime:
    """Return the time that a text states, in UTC and without a zone, as nbgrader stores times.

    Parameters
    ----------
    text
        The date, the time and the zone; UTC if no zone is given.
    home
        The time zone of the course (``c.Exchange.timezone``) or None. It decides the meaning of an
        abbreviation that several zones use, such as CST.

    Raises
    ------
    ValueError
        If the text is not understood; the message names the part that is not understood.

    Examples
    --------
    >>> str(read_time("2026-07-01 20:30:00.5 CEST")), str(read_time("2026-12-05T20:30 -03"))
    ('2026-07-01 18:30:00.500000', '2026-12-05 23:30:00')
    """
    found = _TEXT.fullmatch(text.strip())
    try:
        if found is not None:
            # Python reads at most six decimals of a second, and nbgrader may write more
            local = datetime.fromisoformat(f"{found[1]} {found[2][:15]}")
            return local - _offset(found[3], local, home)
    except TimeZoneError:
        raise
    except (OverflowError, ValueError):
        pass
    raise ValueError(
        _(
            "the time must be YYYY-MM-DD HH:MM:SS and a time zone such as UTC, +02:00, CEST or "
            "Europe/Berlin, got {text!r}",
            text=text[:60],
        )
    )


def _offset(zone: str, local: datetime, home: str | None) -> timedelta:
    """Return `local` minus UTC, for the time zone that the text `zone` names."""
    if zone in ("", "Z", "UTC", "GMT"):
        return timedelta(0)
    if numeric := _OFFSET.fullmatch(zone):
        ahead = timedelta(hours=int(numeric[2]), minutes=int(numeric[3] or 0))
        return timezone(ahead if numeric[1] == "+" else -ahead).utcoffset(None)
    zones = _zones()
    if "/" in zone and zone in zones:
        return zones[zone].utcoffset(local) or timedelta(0)
    found = {name: _by_abbreviation(zone, local, one) for name, one in zones.items()}
    if home is not None and found.get(home):
        return found[home].pop()
    offsets = {offset for known in found.values() for offset in known}
    if len(offsets) == 1:
        return offsets.pop()
    if offsets:
        raise TimeZoneError(
            _(
                "the time zone {zone!r} has several meanings: use an offset such as +02:00 or a "
                "name such as Europe/Berlin",
                zone=zone[:40],
            )
        )
    raise TimeZoneError(
        _(
            "the time zone {zone!r} is not known: use UTC, an offset such as +02:00 or a name such "
            "as Europe/Berlin",
            zone=zone[:40],
        )
    )


def _by_abbreviation(name: str, local: datetime, zone: ZoneInfo) -> set[timedelta]:
    """Return the offsets from UTC that an abbreviation such as CST may mean at a time in a zone.

    There is no offset if the zone does not use the abbreviation at this time. There may be two,
    because a local time occurs twice when clocks are set back.
    """
    both = (local.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    return {one.utcoffset() or timedelta(0) for one in both if one.tzname() == name}


@lru_cache(maxsize=1)
def _zones() -> dict[str, ZoneInfo]:
    return {name: ZoneInfo(name) for name in sorted(available_timezones())}
