"""The request handlers of the marking page, which is in Jupyter's server and behind its login.

All requests are answered one after the other in a separate thread, so that two requests never
write at the same time, and the rest of Jupyter's server need not wait for them.
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
from dpteach.term.marking.marks import RecordError

_, _n = catalog("term")

#: the address of the marking page, relative to that of Jupyter's server
ADDRESS: Final = "dpteach/marking"

#: the key in the settings of Jupyter's server under which the `Marking` of the course is kept
_MARKING: Final = "dpteach_marking"

_FILES: Final = Path(__file__).parent / "page"
_TEMPLATES: Final = Path(__file__).parents[1] / "templates"

#: the Content-Security-Policy of the page: it may load its own script, style and data, and pictures
#: that are contained in it, but nothing from other addresses
_POLICY: Final = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Marking:
    """The `Desk` of each assignment of a course, and the one thread in which all desks work."""

    def __init__(self, course: Path) -> None:
        self.course = course
        self.desk = functools.cache(functools.partial(Desk, course))
        self._thread = ThreadPoolExecutor(1, "marking")

    async def do(self, work: Callable[[], Any]) -> Any:
        """Call a function in the marking thread, with messages in the course's language."""

        def speak() -> Any:
            told = folder.course_language(folder.settings_of(self.course))
            with speaking(None if is_chosen() else told):
                return work()

        return await asyncio.get_running_loop().run_in_executor(self._thread, speak)

    def told(self, path: list[str], who: str) -> Any:
        """Return the data for a GET request: all assignments, one item, or one answer.

        Parameters
        ----------
        path
            The parts of the address after ``api/``.
        who
            The name of the marker.
        """
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
        """Carry out a POST request: mark an answer, assign answers, or return students' names.

        Parameters
        ----------
        path
            The parts of the address after ``api/``.
        told
            The data in the body of the request.
        """
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
    """The handler that sends the HTML of the marking page."""

    @property
    def content_security_policy(self) -> str:
        """The page's Content-Security-Policy, which Jupyter's server sends as a header."""
        return _POLICY.format(nonce=self.nonce)

    @functools.cached_property
    def nonce(self) -> str:
        """A random word for one reply; the policy permits only scripts and styles that have it."""
        return secrets.token_urlsafe(16)

    def set_default_headers(self) -> None:
        """Forbid the browser to store the page, and to tell other sites the page's address."""
        super().set_default_headers()
        self.set_header("Cache-Control", "no-store")
        self.set_header("Referrer-Policy", "no-referrer")

    @web.authenticated
    async def get(self) -> None:
        """Send the page, with the XSRF token that the page's POST requests must contain."""
        base, token = url_path_join(self.base_url, ADDRESS), self.xsrf_token.decode()
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(await self.settings[_MARKING].do(lambda: _page(base, token, self.nonce)))


def _page(base: str, token: str, nonce: str) -> str:
    """Return the HTML of the page in the current language, including its script and style."""
    loader = FileSystemLoader((_TEMPLATES, _FILES))
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    told = {"_": _, "language": language(), "base": base, "token": token, "nonce": nonce}
    return environment.get_template("marking.html").render(told)


class _Data(APIHandler):
    """The handler of the requests that the script of the page sends."""

    @web.authenticated
    async def get(self, path: str) -> None:
        """Send the data that the URL's path names; the query parameter ``who`` names the marker."""
        who = self.get_query_argument("who", "")
        await self.reply(lambda marking: marking.told(path.split("/"), who))

    @web.authenticated
    async def post(self, path: str) -> None:
        """Carry out the request that the path names, with the data in the request's body."""
        body = self.get_json_body()
        told = body if isinstance(body, Mapping) else {}
        await self.reply(lambda marking: marking.done(path.split("/"), told))

    async def reply(self, work: Callable[[Marking], Any]) -> None:
        """Send the result of `work` as JSON, or an error message if `work` raises an error.

        Parameters
        ----------
        work
            A function of the course's `Marking`; it runs in the marking thread.
        """
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
    """Add the marking page to a Jupyter server, or log that the server's folder is no course."""
    course = Path(server.root_dir).resolve()
    if not (course / folder.SETTINGS).is_file():
        server.log.warning("marking: %s is no course", course)
        return
    server.web_app.settings[_MARKING] = Marking(course)
    base = url_path_join(server.web_app.settings["base_url"], ADDRESS)
    server.web_app.add_handlers(".*$", [(rf"{base}/?", _Page), (rf"{base}/api/(.*)", _Data)])
