"""Tests of the marking page: requests to a real Jupyter server, and two people in Chromium."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

import marking_course
import pytest
from marking_course import NAME, png, replay
from test_intake import HOSTILE

from dpteach.grading.course.folder import course_api
from dpteach.serve import MARKING_PATH, instructor_settings
from dpteach.term.marking.desk import Desk
from dpteach.term.marking.marks import Marks

pytestmark = pytest.mark.slow

TOKEN = "a-token"
SOURCES = sorted((Path(__file__).parents[2] / "course_src" / "assignments").glob("*.md"))

#: options with which Chromium runs in a container and can reach only this machine
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


def attached(name: str, content: str) -> dict[str, Any]:
    """Return the fields of a notebook cell whose text shows an attached picture."""
    return {
        "source": f"![x](attachment:{name}) and the end",
        "attachments": {name: {"image/png": content}},
    }


#: hostile answers: they try to run code, to load files, to cover the page or to make it slow
ATTACKS: tuple[str | dict[str, Any], ...] = (
    HOSTILE,
    "<style>body { display: none }</style><div style='position:fixed;inset:0;z-index:9'>over</div>",
    "<iframe src='javascript:parent.pwned=1'></iframe><body onload='pwned=1'><base href='//a.b'>",
    "| a " * 400 + "|\n" + "|---" * 400 + "|\n" + ("| b " * 400 + "|\n") * 4,
    ">" * 4000 + " deep",
    "".join(" " * (2 * i) + "- x\n" for i in range(90)),
    r"$\rule{9999em}{9999em} \hspace{-9999em} \href{javascript:pwned=1}{x}$",
    r"$\text{<img src=x onerror=pwned=1>} \unicode{x3c}$",
    attached("giant.png", png(60_000, 60_000)),
    attached("small.png", png(20, 20)),
    "</div></div></main><form action='//a.b'><button id='save'>Save</button></form>",
    "x" * 9_000,
    "\u202e<script>pwned=1</script>\u0000[a](javascript:pwned=1)",
)
STUDENTS = [f"s{i:02d}" for i in range(60)]


@dataclass
class Lab:
    """A running Jupyter server with the marking page, and the course whose answers it shows."""

    course: Path
    address: str

    def ask(self, path: str, body: object = None, **headers: str) -> HTTPResponse:
        """Send a request with the right token, unless `headers` replaces it; return the reply."""
        headers = {"Authorization": f"token {TOKEN}"} | headers
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(f"{self.address}{path}", data, headers)
        reply: HTTPResponse = urllib.request.urlopen(asked, timeout=30)
        return reply

    def refused(self, path: str, body: object = None, **headers: str) -> tuple[int, str]:
        """Send a request that the server must refuse; return the reply's status and text."""
        with pytest.raises(urllib.error.HTTPError) as found:
            self.ask(path, body, **headers)
        with found.value as reply:
            return reply.code, reply.read().decode()

    def data(self, path: str, body: object = None, **headers: str) -> Any:
        """Send a request for data, as the marking page does, and return the data of the reply."""
        with self.ask(f"/api/{path}", body, **headers) as reply:
            return json.loads(reply.read())


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Start a server for a course with 60 answers to each of two questions; some are hostile."""
    course = marking_course.make_course(tmp_path_factory.mktemp("marking") / "a course")
    letters = [*ATTACKS, *(f"Letter of {s}: $x_1$ is **small**." for s in STUDENTS)][:60]
    marking_course.grade(
        course,
        {s: {"letter": x, "why": f"By {s}."} for s, x in zip(STUDENTS, letters, strict=True)},
    )
    settings = tmp_path_factory.mktemp("settings")
    instructor_settings(settings)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root"]
    command += ["--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}"]
    command += [f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={course}"]
    names = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    folders = {f"JUPYTER_{name}": str(tmp_path_factory.mktemp(name)) for name in names}
    environment = os.environ | folders | {"JUPYTER_CONFIG_PATH": str(settings)}
    with (settings / "log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=course)
    found = Lab(course, f"http://127.0.0.1:{port}/{MARKING_PATH}")
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                found.ask("").close()
                break
            time.sleep(0.1)
        else:
            pytest.fail((settings / "log").read_text())
        yield found
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)


def test_without_jupyters_token_there_is_nothing(lab: Lab) -> None:
    for wrong in ("", "token other"):
        for path in ("/api/assignments", f"/api/{NAME}/item/why?who=Ada"):
            assert lab.refused(path, Authorization=wrong)[0] == 403
        assert lab.refused(f"/api/{NAME}/join", {"who": "Ada"}, Authorization=wrong)[0] == 403
        asked = urllib.request.Request(lab.address, headers={"Authorization": wrong})
        with urllib.request.urlopen(asked, timeout=30) as reply:
            assert "/login?next=" in reply.url


def test_requests_of_other_pages_are_refused(lab: Lab) -> None:
    """Another site's page cannot send requests, even with the cookies of a logged-in browser."""
    with urllib.request.urlopen(f"{lab.address}?token={TOKEN}", timeout=30) as reply:
        cookies = "; ".join(one.partition(";")[0] for one in reply.headers.get_all("Set-Cookie"))
    logged_in = {"Authorization": "", "Cookie": cookies}
    assert lab.data("assignments", **logged_in)
    assert lab.refused(f"/api/{NAME}/join", {"who": "Eve"}, **logged_in)[0] == 403
    for origin in ("http://evil.example", "null"):
        assert lab.refused("/api/assignments", Origin=origin, **logged_in)[0] in (403, 404)
    assert "Eve" not in (lab.course / ".term" / "marking" / f"{NAME}.jsonl").read_text()


def test_the_page_may_load_its_own_script_alone(lab: Lab) -> None:
    with lab.ask("") as first, lab.ask("") as second:
        policy, page = first.headers["Content-Security-Policy"], first.read().decode()
    nonce = re.search(r"script-src 'nonce-([\w-]{20,})'; style-src 'nonce-\1';", policy)
    assert nonce and nonce[1] not in second.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy
    assert policy.endswith("base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
    assert re.findall("<(?:script|style|link).*?>", page) == [
        '<link rel="icon" href="data:,">',
        f'<style nonce="{nonce[1]}">',
        '<script type="application/json" id="texts">',
        f'<script nonce="{nonce[1]}">',
    ]
    assert set(re.findall(r' (?:src|href)="(.*?)"', page)) == {"data:,"}
    assert lab.refused("/../marking/handlers.py")[0] == 404


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("item/nothing?who=Ada", None, "no written answers to nothing"),
        ("item/why", None, "a name has 1 to 40"),
        ("item/why/5?who=Ada", None, "no answer 5 to why"),
        ("item/why/5", {"who": "Ada", "points": 1}, "no answer 5 to why"),
        ("item/why/5", [1], "a name has"),
        ("join", {"who": "x" * 41}, "a name has"),
        ("take", {"who": "Eve"}, "no written answers to None"),
    ],
)
def test_bad_requests_are_told_why(lab: Lab, path: str, body: object, words: str) -> None:
    status, said = lab.refused(f"/api/{NAME}/{path}", body)
    assert status == 400 and words in json.loads(said)["message"]
    assert "joined" not in (lab.course / ".term" / "marking" / f"{NAME}.jsonl").read_text()


def test_a_record_that_cannot_be_read_is_named(lab: Lab) -> None:
    record = lab.course / ".term" / "marking" / f"{NAME}.jsonl"
    aside = record.rename(record.with_suffix(".aside"))
    record.mkdir()
    try:
        status, said = lab.refused(f"/api/{NAME}/item/why?who=Ada")
    finally:
        record.rmdir()
        aside.rename(record)
    assert (status, json.loads(said)) == (503, {"message": f"{record}: Is a directory"})
    assert lab.data(f"{NAME}/item/why?who=Ada")["total"] == 60


def test_what_is_no_assignment(lab: Lab) -> None:
    status, said = lab.refused("/api/other/item/why?who=Ada")
    assert status == 400 and "there is no assignment 'other'" in said
    assert lab.refused("/api/..%2fother/item/why?who=Ada")[0] == 404


# ------------------------------------------------------------------ two people in Chromium

#: JavaScript that measures how long it takes from the press of a key that saves a mark until the
#: next answer is visible
WATCH = """() => {
  window.times = [];
  let pressed = 0;
  document.addEventListener("keydown", (event) => {
    const digit = event.shiftKey && event.code.startsWith("Digit");
    if (event.key === "Enter" || digit) pressed = performance.now();
  }, true);
  new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => {
    if (pressed) window.times.push(performance.now() - pressed);
    pressed = 0;
  }))).observe(document.getElementById("heading"), { childList: true });
}"""

#: for each line of a marking scheme, the marker's choice: 0 for no points, 1 for all points, 2 or
#: more for the points of an alternative
Choices = tuple[int, ...]

#: for each line of the scheme of the item `letter`, the points of choice 1 and, if there is an
#: alternative, of choice 2
LETTER: tuple[tuple[float, ...], ...] = ((1.0,), (1.5, 0.5), (1.0,), (0.5,), (1.0,))


def shortest(most: Sequence[int]) -> dict[Choices, tuple[str, ...]]:
    """Return, for each combination of choices in a marking scheme, the shortest keys that save it.

    The keys do what the marking page's help says. Each choice of each line has a digit, which
    selects the choice, or clears the line if the choice is selected already. ``0`` clears all
    lines, and ``a`` selects choice 1 in all lines. ``s`` selects the last choice in all lines;
    ``d`` does so only in lines with alternatives, and clears the others. Enter saves, and so does
    a digit with Shift.

    Parameters
    ----------
    most
        The number of choices of each line: 1, and 1 more for each alternative.
    """
    nothing: Choices = (0,) * len(most)

    def after(key: str, now: Choices) -> Choices:
        """Return the choices for all lines after a key is pressed; before that, they are `now`."""
        if key in whole:
            return whole[key]
        line, choice = choices[int(key) - 1]
        return (*now[:line], 0 if now[line] == choice else choice, *now[line + 1 :])

    whole = {
        "0": nothing,
        "a": (1,) * len(most),
        "s": tuple(most),
        "d": tuple(last if last > 1 else 0 for last in most),
    }
    choices = [(line, n) for line, last in enumerate(most) for n in range(1, last + 1)]
    assert len(choices) <= 9, "each choice has a digit"
    keys = [*whole, *map(str, range(1, len(choices) + 1))]
    # `pressed` begins empty, although no key is needed to reach the choices `nothing`: Enter saves
    # only after another key, so a sequence of keys must be found for `nothing`, too
    pressed: dict[Choices, tuple[str, ...]] = {}
    saved: dict[Choices, tuple[str, ...]] = {}
    waiting = deque([(nothing, tuple[str, ...]())])
    while waiting:
        now, so_far = waiting.popleft()
        if so_far:
            saved.setdefault(now, (*so_far, "Enter"))
        for key in keys:
            then = after(key, now)
            if key.isdigit():
                found = (*so_far, f"Shift+Digit{key}")
                saved[then] = min(saved.get(then, found), found, key=len)
            if then not in pressed:
                pressed[then] = (*so_far, key)
                waiting.append((then, pressed[then]))
    return saved


@pytest.mark.parametrize("lines", [5, 6])
def test_three_keys_save_any_set_of_lines(lines: int) -> None:
    sequences = shortest([1] * lines)
    assert len(sequences) == 2**lines
    assert max(map(len, sequences.values())) == 3


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_three_keys_save_any_result_of_an_assignments_schemes(source: Path) -> None:
    text = source.read_text("utf-8")
    schemes = re.findall(r"### BEGIN SCHEME\n(.*?)### END SCHEME", text, re.DOTALL)
    assert schemes
    for scheme in schemes:
        lines = re.findall(r"^- [\d.]+:.*\n(?:- or [\d.]+:.*\n)*", scheme, re.MULTILINE)
        assert "".join(lines) == scheme
        most = [line.count("\n") for line in lines]
        sequences = shortest(most)
        assert len(sequences) == math.prod(n + 1 for n in most)
        assert max(map(len, sequences.values())) <= 3


#: ways to mark an answer to the item `letter`: a sequence of keys, the points that it saves, and
#: the choice that it saves for each line of the marking scheme, or () if the points do not come
#: from choices. First come the shortest sequences for all combinations of choices. In the last
#: four, digits after the key g are points, until the next g; a repeated digit adds half a point
KEYS: tuple[tuple[tuple[str, ...], float, Choices], ...] = (
    *(
        (keys, sum(line[n - 1] for line, n in zip(LETTER, outcome, strict=True) if n), outcome)
        for outcome, keys in shortest([len(line) for line in LETTER]).items()
    ),
    (("g", "Shift+Digit4"), 4.0, ()),
    (("g", "3", "Shift+Digit3"), 3.5, ()),
    (("g", "0", "Enter"), 0.0, (0, 0, 0, 0, 0)),
    (("g", "g", "Shift+Digit5"), 0.5, (0, 0, 0, 1, 0)),
)


async def until(page: Any, condition: str) -> None:
    """Wait until a JavaScript expression is true on the page.

    The page's security policy forbids Playwright's own function for waiting.
    """
    deadline = time.monotonic() + 30
    while not await page.evaluate(condition):
        assert time.monotonic() < deadline, condition
        await asyncio.sleep(0.005)


async def start(page: Any, lab: Lab, who: str) -> None:
    """Open the page, enter a name, and start marking, all by the keyboard."""
    await page.goto(f"{lab.address}?token={TOKEN}")
    await until(page, "document.getElementById('item').options.length > 0")
    for _ in range(3):
        await page.keyboard.press("Tab")
    await page.keyboard.type(who)
    await page.keyboard.press("Enter")
    await page.wait_for_selector("#desk:not([hidden])")
    await until(page, "document.getElementById('heading').textContent !== ''")
    await page.evaluate(WATCH)


async def number_on(page: Any) -> int:
    """Return the number of the answer that the page shows."""
    return int(re.search(r"\d+", await page.inner_text("#heading"))[0])  # type: ignore[index]


async def mark_pile(page: Any) -> dict[int, tuple[float, Choices]]:
    """Mark all answers assigned to the page's user, each with one of the key sequences in `KEYS`.

    Return, by the number of the answer, its points and the choices for the lines of its scheme.
    """
    given: dict[int, tuple[float, Choices]] = {}
    while len(given) < 70:
        number = await number_on(page)
        keys, *mark = KEYS[number % len(KEYS)]
        assert number not in given, "each answer comes once"
        given[number] = mark[0], mark[1]
        for key in keys[:-1]:
            await page.keyboard.press(key)
        # a person presses keys so slowly that marks do not queue up; imitate that by waiting until
        # at most one other mark is being sent
        await until(page, "sending.size < 2")
        await page.keyboard.press(keys[-1])
        before = f"document.getElementById('heading').textContent === 'Answer {number}'"
        done = "document.getElementById('status').textContent.startsWith('Your pile is marked')"
        await until(page, f"!({before}) || {done}")
        if await page.evaluate(f"{before} && {done}"):
            break
    await until(page, "sending.size === 0")
    # after the last mark is saved, the page must still show the last answer and say that it is
    # marked
    assert (await page.inner_text("#about")).startswith("marked")
    return given


async def two_people(lab: Lab, found: dict[str, Any]) -> None:
    """Let Ada and Ben mark in two browser windows; store what happened in `found`.

    For example, store the points that they gave, how long the next answer took to appear, and the
    errors on the pages.
    """
    from playwright.async_api import async_playwright

    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)))
    problems: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        pages = {}
        for who in ("Ada", "Ben"):
            context = await browser.new_context(viewport={"width": 1280, "height": 800})
            page = pages[who] = await context.new_page()
            page.on("pageerror", lambda error: problems.append(str(error)))
            page.on("console", lambda m: m.type == "error" and problems.append(m.text))
            page.on("dialog", lambda dialog: problems.append(dialog.message))
            page.on(
                "request",
                lambda r: r.url.startswith((lab.address, "data:")) or problems.append(r.url),
            )
        for who, page in pages.items():
            await start(page, lab, who)
        found["widths"] = await widths(pages["Ada"], attacks(lab))
        given = await asyncio.gather(*map(mark_pile, pages.values()))
        found["given"] = dict(zip(pages, given, strict=True))
        found["times"] = [t for page in pages.values() for t in await page.evaluate("times")]
        found["pwned"] = [await page.evaluate("'pwned' in window") for page in pages.values()]
        await conflict(lab, pages, found)
        found["keyboards"] = await other_keyboards(pages["Ada"])
        found["typed"] = await typed_points(lab, pages["Ada"])
        found["problems"] = [one for one in problems if "409" not in one]
        await browser.close()


def numbers(lab: Lab) -> dict[str, int]:
    """Return, by student, the number by which markers know the student."""
    return replay(Desk(lab.course, NAME).record.events()).numbers


def attacks(lab: Lab) -> list[int]:
    """Return the numbers by which markers know the students with the answers in `ATTACKS`."""
    return [numbers(lab)[student] for student in STUDENTS[: len(ATTACKS)]]


async def widths(page: Any, attacking: list[int]) -> list[list[float]]:
    """Show the given answers in a wide and in a narrow window, and measure faults of the layout.

    Returns
    -------
    list of list of float
        For each answer and window, four numbers, which are faults if above 0: by how many pixels
        the page is wider than the window; by how many the answer is higher than the window; 1 if
        something covers the button *Save*, else 0; and the number of broken pictures.
    """
    beyond = []
    for width in (1280, 390):
        await page.set_viewport_size({"width": width, "height": 800})
        for number in attacking:
            await page.evaluate(f"open({number})")
            beyond.append(
                await page.evaluate(
                    """() => {
                      const box = (id) => document.getElementById(id).getBoundingClientRect();
                      const [answer, save] = [box("answer"), box("save")];
                      const top = document.elementFromPoint(save.x + 5, save.y + 5);
                      return [document.documentElement.scrollWidth - innerWidth,
                        answer.height - innerHeight,
                        top && top.id !== "save" && save.y + 5 < innerHeight ? 1 : 0,
                        [...document.querySelectorAll("#answer img[src]")]
                          .filter((one) => one.complete && one.naturalWidth !== 20).length];
                    }"""
                )
            )
    await page.set_viewport_size({"width": 1280, "height": 800})
    # let the page read its lists of answers again: since Ben has joined, Ada has fewer answers to
    # mark
    await page.evaluate("refresh().then(() => open(following(0, 1, true).number))")
    return beyond


async def conflict(lab: Lab, pages: dict[str, Any], found: dict[str, Any]) -> None:
    """Let Ada give an answer 0 points; then Ben, who has not seen that, gives 5 and confirms it.

    The answer had more than 0 points before. Otherwise Ada's mark would change nothing, and the
    page would save Ben's mark without asking him.
    """
    given = found["given"]["Ada"] | found["given"]["Ben"]
    sample = set(found["given"]["Ada"]) & set(found["given"]["Ben"])
    number = next(n for n, (points, _lines) in given.items() if points and n not in sample)
    for page in pages.values():
        # pretend that the page is hidden, so that it does not ask the server for new marks every
        # few seconds; otherwise Ben's page might learn of Ada's mark before he marks, and nothing
        # would conflict
        hide = "{get: () => true, configurable: true}"
        await page.evaluate(f"void Object.defineProperty(document, 'hidden', {hide})")
        await page.evaluate(f"fetched.clear(); open({number})")
        await until(page, f"shown.number === {number} && !sending.size")
    for page, key in zip(pages.values(), ("0", "a"), strict=True):
        await page.keyboard.press(key)
        await page.keyboard.press("Enter")
        await until(page, "!sending.size")
        await page.evaluate("delete document.hidden")
    ben = pages["Ben"]
    found["conflict"] = await ben.inner_text("#problems")
    found["kept"] = points_of(lab)[student(lab, number)]
    await ben.get_by_role("button", name="Write mine").focus()
    await ben.keyboard.press("Enter")
    await until(ben, "!problems.size && !sending.size")
    found["written"] = points_of(lab)[student(lab, number)]
    found["contested"] = number


async def other_keyboards(page: Any) -> list[list[int]]:
    """Send four unusual keyboard events to the page, none of which may save a mark.

    Return, for each event, what is selected after it in each line of the marking scheme.
    The first two events come from a keyboard on which digits need Shift. The third repeats a digit
    that is held down with Shift. The last is a key of the number pad with Num Lock off.
    """
    await page.evaluate("open(data.answers[0].number).then(() => KEYS.a())")
    choices = []
    for about in (
        {"key": "&", "code": "Digit1"},
        {"key": "à", "code": "Digit0"},
        {"key": "1", "code": "Digit1", "shiftKey": True, "repeat": True},
        {"key": "Clear", "code": "Numpad5"},
    ):
        event = f"new KeyboardEvent('keydown', {json.dumps({**about, 'bubbles': True})})"
        await page.evaluate(f"document.getElementById('heading').dispatchEvent({event})")
        choices.append(await page.evaluate("choice"))
    assert await page.evaluate("sending.size") == 0
    return list(choices)


async def typed_points(lab: Lab, page: Any) -> list[float | None]:
    """Let Ada type points for two answers to the item `why`, which has no marking scheme.

    Return the points that the server has stored.
    """
    arrive = asyncio.Event()

    async def wait(route: Any) -> None:
        await arrive.wait()
        await route.continue_()

    await page.route("**/join", wait)
    await page.select_option("#item", "why")
    await until(page, "item === 'why'")
    # a key must not mark the old answer while the answers to the new item are being loaded
    await page.keyboard.press("Shift+Digit1")
    assert await page.evaluate("sending.size") == 0
    arrive.set()
    await until(page, "item === 'why' && shown && !data.criteria.length && !opening")
    marked = []
    for keys in (("1", ".", "Shift+Digit5"), ("Shift+Digit2",)):
        marked.append(await number_on(page))
        for key in keys:
            await page.keyboard.press(key)
        await until(page, f"shown.number !== {marked[-1]} && !sending.size")
    # ask the page instead of the gradebook: if two people mark an answer, Ada may be the second,
    # and the gradebook has only the points of the first
    told = [lab.data(f"{NAME}/item/why/{number}?who=Ada") for number in marked]
    return [one["mark"]["points"] for one in told]


def points_of(lab: Lab, item: str = "letter") -> dict[str, float | None]:
    """Return the points for an item in the gradebook by student."""
    with Marks(course_api(lab.course), NAME) as marks:
        return {student: entry.points for student, entry in marks.entries(item).items()}


def student(lab: Lab, number: int) -> str:
    """Return the id of the student whom markers know by this number."""
    return next(student for student, n in numbers(lab).items() if n == number)


@pytest.fixture(scope="module")
def marked(lab: Lab) -> dict[str, Any]:
    """Let Ada and Ben mark 60 answers together in Chromium; return what `two_people` stored."""
    found: dict[str, Any] = {}
    asyncio.run(two_people(lab, found))
    return found


@pytest.mark.requires("chromium")
def test_two_people_at_once_lose_nothing(lab: Lab, marked: dict[str, Any]) -> None:
    given = marked["given"]
    both = set(given["Ada"]) & set(given["Ben"])
    assert len(set(given["Ada"]) | set(given["Ben"])) == 60 and len(both) == 6
    assert abs(len(given["Ada"]) - len(given["Ben"])) <= 4
    points = points_of(lab)
    students = {n: student for student, n in numbers(lab).items()}
    expected = {students[n]: told[0] for those in given.values() for n, told in those.items()}
    del points[student(lab, marked["contested"])], expected[student(lab, marked["contested"])]
    assert points == expected
    record = Desk(lab.course, NAME).record.events()
    events = [one for one in record if one.data.get("item") == "letter"]
    kinds = [one.kind for one in events]
    assert kinds.count("marked") == 60 + 2 and kinds.count("again") == 6
    lines = {
        one.data["number"]: tuple(one.data["lines"])
        for one in events
        if one.kind in ("marked", "again") and one.data["number"] != marked["contested"]
    }
    assert lines == {
        number: lines
        for those in given.values()
        for number, (_points, lines) in those.items()
        if number != marked["contested"]
    }
    told = lab.data(f"{NAME}/item/letter?who=Ada")
    assert told["done"] == 60 and told["agreement"]["count"] == 6
    assert told["agreement"]["equal"] == 1 and told["unsettled"] == []


@pytest.mark.requires("chromium")
def test_digits_are_read_by_their_key(marked: dict[str, Any]) -> None:
    line_1_without_points = [0, 1, 1, 1, 1]
    assert marked["keyboards"] == [line_1_without_points, *[[0, 0, 0, 0, 0]] * 3]


@pytest.mark.requires("chromium")
def test_points_are_typed_and_saved_without_a_scheme(marked: dict[str, Any]) -> None:
    assert marked["typed"] == [1.5, 2.0]


@pytest.mark.requires("chromium")
def test_a_mark_of_somebody_else_is_shown(marked: dict[str, Any]) -> None:
    assert "Somebody else changed the mark" in marked["conflict"]
    assert "Theirs: 0 points" in marked["conflict"] and "Yours: 5 points" in marked["conflict"]
    assert (marked["kept"], marked["written"]) == (0.0, 5.0)


@pytest.mark.requires("chromium")
def test_hostile_answers_do_nothing(marked: dict[str, Any]) -> None:
    assert marked["problems"] == []
    assert marked["pwned"] == [False, False]
    assert all(beyond <= 0 for row in marked["widths"] for beyond in row), marked["widths"]


@pytest.mark.requires("chromium")
def test_the_next_answer_is_there_at_once(marked: dict[str, Any]) -> None:
    times = sorted(marked["times"])
    assert len(times) >= 60
    assert times[len(times) * 9 // 10] < 200, times
