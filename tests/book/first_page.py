"""A measurement of the time until `make course` shows a page: `python tests/book/first_page.py`.

The script first removes everything that was built, and npm's packages, but not `.venv`. On an idle
machine with two cores, the front page, the first chapter, and JupyterLab with the first assignment
are available within 60 seconds, and everything is built within three minutes.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
FIRST = "removing_names"


def answers(address: str, token: str = "") -> bool:
    request = urllib.request.Request(address, headers={"Authorization": f"token {token}"})
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def end(process: subprocess.Popen[str]) -> None:
    """End make together with its child processes; otherwise the server would keep running."""
    for number in (signal.SIGINT, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=30)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
        return


def main() -> int:
    for name in ("_build", "book/node_modules", "course_src/release", "course_src/source"):
        shutil.rmtree(ROOT / name, ignore_errors=True)
    begin, lines = time.monotonic(), list[str]()
    process = subprocess.Popen(
        ["make", "course"], cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True
    )

    def read() -> None:
        for line in process.stdout or ():
            lines.append(line)
            print(f"{time.monotonic() - begin:6.1f} s  {line}", end="", flush=True)

    threading.Thread(target=read, daemon=True).start()

    def seconds(condition: object, most: float = 900.0) -> float:
        while not condition():  # type: ignore[operator]
            if process.poll() is not None or time.monotonic() - begin > most:
                raise SystemExit(f"it did not come: {lines[-5:]}")
            time.sleep(0.1)
        return time.monotonic() - begin

    def found(pattern: str) -> re.Match[str] | None:
        return re.search(pattern, "".join(lines))

    try:
        seconds(lambda: found(r"The course: .*token=\w+"))
        book = found(r"The book: +(http\S+)")[1]  # type: ignore[index]
        lab, token = found(r"The course: +(\S+)/lab/tree\S+token=(\w+)").groups()  # type: ignore[union-attr]
        notebook = f"{lab}/api/contents/{FIRST}/{FIRST}.ipynb?content=0"
        first = seconds(
            lambda: (
                answers(book) and answers(f"{book}book/{FIRST}.html") and answers(notebook, token)
            )
        )
        whole = seconds(lambda: found("Everything is built|The build failed"))
    finally:
        end(process)
    print(f"first pages and assignment {first:.0f} s (60 at most), everything {whole:.0f} s (180)")
    if failed := found("The build failed.*"):
        print(failed[0])
    return int(bool(failed) or first > 60 or whole > 180)


if __name__ == "__main__":
    sys.exit(main())
