"""The requests of the marking page, answered within Jupyter's server and behind its login.

Requests are answered one after the other in a thread of their own, so that no two of them write at
the same time, and JupyterLab does not wait for them.
"""

from __future__ import annotations

import asyncio
import functools
import json
import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.utils import url_path_join
from tornado import web

from dpteach._language import catalog, is_chosen, language, speaking
from dpteach.grading.core.command import error_words
from dpteach.grading.course import folder
from dpteach.grading.course.gradebook import GradebookError
from dpteach.term.marking.desk import ChangedError, Desk, DeskError, marker
from dpteach.term.marking.record import RecordError

_, _n = catalog("term")

#: the address of the page below that of Jupyter's server
ADDRESS: Final = "dpteach/marking"

#: the setting of Jupyter's server that holds the course's desks
_MARKING: Final = "dpteach_marking"

_FILES: Final = Path(__file__).parent / "page"
_TEMPLATES: Final = Path(__file__).parents[1] / "templates"

#: what the page may load: its own script and style, pictures that it contains, and its own data
_POLICY: Final = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Marking:
    """The desks of a course, and the thread in which all of them are used."""

    def __init__(self, course: Path) -> None:
        self.course = course
        self.desk = functools.cache(functools.partial(Desk, course))
        self._thread = ThreadPoolExecutor(1, "marking")

    async def do(self, work: Callable[[], Any]) -> Any:
        """Call a function in the thread of the desks, in the language of the course."""

        def speak() -> Any:
            told = folder.course_language(folder.settings_of(self.course))
            with speaking(None if is_chosen() else told):
                return work()

        return await asyncio.get_running_loop().run_in_executor(self._thread, speak)

    def told(self, path: list[str], who: str) -> Any:
        """Return the data at a path: all assignments, an item, or an answer."""
        match path:
            case ["assignments"]:
                names = folder.assignment_names(self.course, graded=True)
                found = ({"name": name, "items": self.desk(name).items()} for name in names)
                return [one for one in found if one["items"]]
            case [assignment, "item", item]:
                return self.desk(assignment).item(item, marker(who))
            case [assignment, "item", item, number] if number.isdecimal():
                return self.desk(assignment).answer(item, int(number), marker(who))
        raise web.HTTPError(404)

    def done(self, path: list[str], told: Mapping[str, Any]) -> Any:
        """Do what a request at a path says: mark an answer, deal a pile, or tell the names."""
        match path:
            case [assignment, "item", item, number] if number.isdecimal():
                return self.desk(assignment).mark(item, int(number), told)
            case [assignment, "join"]:
                return self.desk(assignment).join(marker(told.get("who")))
            case [assignment, "take"]:
                return self.desk(assignment).take(str(told.get("item")), marker(told.get("who")))
            case [assignment, "names"]:
                return self.desk(assignment).names(marker(told.get("who")))
        raise web.HTTPError(404)


class _Page(JupyterHandler):
    """The page itself."""

    @property
    def content_security_policy(self) -> str:
        return _POLICY.format(nonce=self.nonce)

    @functools.cached_property
    def nonce(self) -> str:
        """A word that only the script and the style of this very reply carry."""
        return secrets.token_urlsafe(16)

    def set_default_headers(self) -> None:
        super().set_default_headers()
        self.set_header("Cache-Control", "no-store")
        self.set_header("Referrer-Policy", "no-referrer")

    @web.authenticated
    async def get(self) -> None:
        """Send the page, with the token against forged requests."""
        base, token = url_path_join(self.base_url, ADDRESS), self.xsrf_token.decode()
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(await self.settings[_MARKING].do(lambda: _page(base, token, self.nonce)))


def _page(base: str, token: str, nonce: str) -> str:
    """Return the page in the current language, with its script and style in it."""
    loader = FileSystemLoader((_TEMPLATES, _FILES))
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    told = {"_": _, "language": language(), "base": base, "token": token, "nonce": nonce}
    return environment.get_template("marking.html").render(told)


class _Data(APIHandler):
    """Requests of the page's script for data."""

    @web.authenticated
    async def get(self, path: str) -> None:
        """Send data; the marker is named in the query."""
        who = self.get_query_argument("who", "")
        await self.reply(lambda marking: marking.told(path.split("/"), who))

    @web.authenticated
    async def post(self, path: str) -> None:
        """Do what the body of the request says."""
        body = self.get_json_body()
        told = body if isinstance(body, Mapping) else {}
        await self.reply(lambda marking: marking.done(path.split("/"), told))

    async def reply(self, work: Callable[[Marking], Any]) -> None:
        """Send what a function returns, or why it cannot be done."""
        marking: Marking = self.settings[_MARKING]
        self.set_header("Cache-Control", "no-store")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")
        try:
            status, data = 200, await marking.do(lambda: work(marking))
        except ChangedError as changed:
            status, data = 409, {"now": changed.now}
        except (DeskError, folder.CourseError) as error:
            status, data = 400, {"message": str(error)}
        except (GradebookError, RecordError, OSError) as error:
            self.log.error("marking: %s", error)
            status, data = 503, {"message": error_words(error)}
        self.set_status(status)
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps(data))


def add_handlers(server: Any) -> None:
    """Add the page to a Jupyter server whose folder is a course; otherwise say so in the log."""
    course = Path(server.root_dir).resolve()
    if not (course / folder.SETTINGS).is_file():
        server.log.warning("marking: %s is no course", course)
        return
    server.web_app.settings[_MARKING] = Marking(course)
    base = url_path_join(server.web_app.settings["base_url"], ADDRESS)
    server.web_app.add_handlers(".*$", [(rf"{base}/?", _Page), (rf"{base}/api/(.*)", _Data)])
