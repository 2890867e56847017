"""The requests of the marking page, answered within Jupyter's server and behind its login.

Requests are answered one after the other in a thread of their own, so that no two of them write at
the same time, and JupyterLab does not wait for them.
"""

from __future__ import annotations

import asyncio
import html
import json
import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.utils import url_path_join
from tornado import web

from dpteach._language import catalog, is_chosen, language, speaking
from dpteach.grading.course.folder import (
    SETTINGS,
    CourseError,
    assignment_names,
    course_language,
    settings_of,
)
from dpteach.grading.course.gradebook import GradebookError
from dpteach.term.marking.desk import ChangedError, Desk, DeskError, marker
from dpteach.term.marking.record import RecordError
from dpteach.term.marking.texts import texts

_, _n = catalog("term")

#: the address of the page below that of Jupyter's server
ADDRESS: Final = "dpteach/marking"

_FOLDER: Final = Path(__file__).parent / "page"
_KINDS: Final = {".js": "text/javascript", ".css": "text/css"}

#: what the page may load: its own script and style, pictures that it contains, and its own data
_POLICY: Final = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_T = TypeVar("_T")


class Marking:
    """The desks of a course, and the thread in which all of them are used."""

    def __init__(self, course: Path) -> None:
        self.course = course
        self._desks: dict[str, Desk] = {}
        self._thread = ThreadPoolExecutor(1, "marking")

    async def do(self, work: Callable[[], _T]) -> _T:
        """Call a function in the thread of the desks, in the language of the course."""

        def speak() -> _T:
            settings = settings_of(self.course)
            with speaking(None if is_chosen() else course_language(settings)):
                return work()

        return await asyncio.get_running_loop().run_in_executor(self._thread, speak)

    def desk(self, assignment: str) -> Desk:
        """Return the desk of an assignment."""
        if assignment not in self._desks:
            self._desks[assignment] = Desk(self.course, assignment)
        return self._desks[assignment]

    def assignments(self) -> list[dict[str, Any]]:
        """Return each assignment with written answers, and its items."""
        names = assignment_names(self.course, graded=True)
        found = ({"name": name, "items": self.desk(name).items()} for name in names)
        return [one for one in found if one["items"]]


class _Page(JupyterHandler):
    """The page itself."""

    @property
    def content_security_policy(self) -> str:
        return _POLICY.format(nonce=self.nonce)

    def initialize(self, marking: Marking) -> None:
        self.marking = marking

    @property
    def nonce(self) -> str:
        """A word that only the script and the style of this very reply carry."""
        if not hasattr(self, "_nonce"):
            self._nonce = secrets.token_urlsafe(16)
        return self._nonce

    def set_default_headers(self) -> None:
        super().set_default_headers()
        self.set_header("Content-Security-Policy", self.content_security_policy)
        self.set_header("Cache-Control", "no-store")
        self.set_header("Referrer-Policy", "no-referrer")

    @web.authenticated
    async def get(self) -> None:
        """Send the page, with its texts and the token against forged requests as data."""
        words, spoken = await self.marking.do(lambda: (texts(), language()))
        fields = {
            "base": url_path_join(self.base_url, ADDRESS),
            "language": spoken,
            "nonce": self.nonce,
            "texts": json.dumps(words),
            "title": words["title"],
            "token": self.xsrf_token.decode(),
        }
        page = (_FOLDER / "marking.html").read_text("utf-8")
        for name, value in fields.items():
            page = page.replace(f"{{{{{name}}}}}", html.escape(value))
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(page)


class _File(JupyterHandler):
    """The script and the style of the page."""

    @web.authenticated
    def get(self, name: str) -> None:
        """Send a file."""
        self.set_header("Content-Type", f"{_KINDS[Path(name).suffix]}; charset=utf-8")
        self.set_header("Cache-Control", "no-cache")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")
        self.finish((_FOLDER / name).read_bytes())


class _Data(APIHandler):
    """Requests of the page's script for data."""

    def initialize(self, marking: Marking) -> None:
        self.marking = marking

    async def reply(self, work: Callable[[], Any]) -> None:
        """Send what a function returns, or why it cannot be done."""
        self.set_header("Cache-Control", "no-store")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")
        try:
            data = await self.marking.do(work)
        except ChangedError as changed:
            self.set_status(409)
            data = {"now": changed.now}
        except DeskError as error:
            self.set_status(400)
            data = {"message": str(error)}
        except (CourseError, GradebookError, RecordError, OSError) as error:
            self.log.error("marking: %s", error)
            self.set_status(503)
            data = {"message": str(error)}
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps(data))

    def body(self) -> Mapping[str, Any]:
        """Return the data of a request."""
        told = self.get_json_body()
        return told if isinstance(told, Mapping) else {}

    @property
    def who(self) -> str:
        """The name of the marker in a request for data; "" if nobody has entered one yet."""
        return self.get_query_argument("who", "")


class _Assignments(_Data):
    """The assignments with written answers."""

    @web.authenticated
    async def get(self) -> None:
        """Send the assignments and their items."""
        await self.reply(self.marking.assignments)


class _Item(_Data):
    """All answers to one item."""

    @web.authenticated
    async def get(self, assignment: str, item: str) -> None:
        """Send what the page shows about an item."""
        who = self.who
        await self.reply(lambda: self.marking.desk(assignment).item(item, marker(who)))


class _Answer(_Data):
    """One answer."""

    @web.authenticated
    async def get(self, assignment: str, item: str, number: str) -> None:
        """Send an answer."""
        who, n = self.who, int(number)
        await self.reply(lambda: self.marking.desk(assignment).answer(item, n, marker(who)))

    @web.authenticated
    async def post(self, assignment: str, item: str, number: str) -> None:
        """Write a mark."""
        told, n = self.body(), int(number)
        await self.reply(lambda: self.marking.desk(assignment).mark(item, n, told))


class _Do(_Data):
    """What a marker does besides marking."""

    @web.authenticated
    async def post(self, assignment: str, what: str) -> None:
        """Deal a pile to a marker, give them answers of another pile, or tell the names."""
        told = self.body()

        def work() -> Any:
            desk, who = self.marking.desk(assignment), marker(told.get("who"))
            if what == "join":
                return desk.join(who)
            return desk.names(who) if what == "names" else desk.take(str(told.get("item")), who)

        await self.reply(work)


def add_handlers(server: Any) -> None:
    """Add the page to a Jupyter server whose folder is a course; otherwise say so in the log."""
    course = Path(server.root_dir).resolve()
    if not (course / SETTINGS).is_file():
        server.log.warning("marking: %s is no course", course)
        return
    marking = {"marking": Marking(course)}
    one, base = (
        r"([a-z][a-z0-9_]{0,99})",
        url_path_join(server.web_app.settings["base_url"], ADDRESS),
    )
    server.web_app.add_handlers(
        ".*$",
        [
            (rf"{base}/?", _Page, marking),
            (rf"{base}/(marking\.(?:js|css))", _File),
            (rf"{base}/api/assignments", _Assignments, marking),
            (rf"{base}/api/{one}/(join|take|names)", _Do, marking),
            (rf"{base}/api/{one}/item/([^/]+)", _Item, marking),
            (rf"{base}/api/{one}/item/([^/]+)/(\d{{1,9}})", _Answer, marking),
        ],
    )
