"""Measurements of a page's size and of the time to its first picture: `make weigh`.

A server compresses the pages with gzip, as static hosts do. Headless Chromium reads them over a
simulated connection with 10 Mbit per second and a latency of 40 ms.
"""

from __future__ import annotations

import gzip
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build" / "html"
#: the endings of files that static hosts compress
TEXT = {".html", ".css", ".js", ".svg", ".json", ".txt"}
#: the simulated connection: bytes per second in each direction, and milliseconds of latency
LINE = {"downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8, "latency": 40}
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")

FIRST_PICTURE = """() => new Promise((done) => {
    const picture = document.querySelector("article img");
    if (!picture) return done(0);
    const address = new URL(picture.getAttribute("src"), location.href).href;
    const look = () => {
        const [entry] = performance.getEntriesByName(address);
        if (entry && picture.complete) done(entry.responseEnd);
        else setTimeout(look, 10);
    };
    look();
})"""


@dataclass(frozen=True)
class Weight:
    """Measurements of a visit: bytes, seconds until text and picture appear, and layout shift."""

    sent: int
    raw: int
    painted: float
    first_picture: float
    shift: float


class Host(SimpleHTTPRequestHandler):
    """A request handler that compresses text files with gzip, as static hosts do."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        body = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        if path.suffix in TEXT:
            body = gzip.compress(body, 6)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def host(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def weigh(browser: Any, address: str) -> Weight:
    """Measure a first visit of a page, without cached files and without actions of the reader."""
    with closing(browser.new_context(viewport={"width": 1280, "height": 800})) as context:
        return _visit(context.new_page(), address)


def _visit(page: Any, address: str) -> Weight:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {"offline": False} | LINE)
    sent, raw = [0], [0]
    session.on("Network.loadingFinished", lambda e: sent.append(e["encodedDataLength"]))
    session.on("Network.dataReceived", lambda e: raw.append(e["dataLength"]))
    page.add_init_script(
        "window.shift = 0; new PerformanceObserver((list) => {"
        "for (const e of list.getEntries()) window.shift += e.value;"
        "}).observe({type: 'layout-shift', buffered: true})"
    )
    page.goto(address, wait_until="networkidle")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    first = max(page.evaluate(FIRST_PICTURE), painted)
    shift = page.evaluate("window.shift")
    return Weight(sum(sent), sum(raw), painted / 1000, first / 1000, shift)


def main(folder: Path, names: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    with sync_playwright() as playwright, host(folder) as address:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        print(f"{'page':32}{'sent KB':>9}{'raw KB':>9}{'painted':>9}{'picture':>9}{'shift':>8}")
        for name in names or sorted(p.stem for p in folder.glob("book/*.html")):
            weight = weigh(browser, f"{address}book/{name}.html")
            print(
                f"{name:32}{weight.sent / 1000:9.0f}{weight.raw / 1000:9.0f}"
                f"{weight.painted:7.2f} s{weight.first_picture:7.2f} s{weight.shift:8.3f}"
            )
        browser.close()


if __name__ == "__main__":
    main(HTML, sys.argv[1:])
