"""Tests that kernels of builds and tests can be reached only by the user who started them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jupyter_client")

KERNEL = """
import os, stat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from dpteach._kernels import private_kernels

private_kernels()
private_kernels()
client = NotebookClient(new_notebook(cells=[new_code_cell("6 * 7")]), timeout=60)
with client.setup_kernel():
    info = client.km.get_connection_info()
    folder = os.path.dirname(info["ip"])
    print(info["transport"], oct(stat.S_IMODE(os.stat(folder).st_mode)), len(os.listdir(folder)))
    print(client.execute_cell(client.nb.cells[0], 0).outputs[0].data["text/plain"])
print(folder)
"""


@pytest.mark.slow
@pytest.mark.parametrize("length", [0, 180], ids=["short", "long"])
def test_a_kernel_is_reached_over_ipc_in_a_private_folder(tmp_path: Path, length: int) -> None:
    place = tmp_path / ("t" * length)
    place.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", KERNEL],
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "TMPDIR": str(place)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines()[:2] == ["ipc 0o700 5", "42"], done.stderr
    folder = Path(done.stdout.splitlines()[2])
    assert (folder.parent == place) == (not length)
    assert not folder.exists(), "it goes with the process"


def test_every_manager_has_a_place_of_its_own() -> None:
    """In tests, `conftest` gives each kernel manager its own socket folder, unless it uses TCP."""
    from jupyter_client.manager import AsyncKernelManager, KernelManager

    managers = [KernelManager(), AsyncKernelManager(), KernelManager(transport="tcp")]
    assert [manager.transport for manager in managers] == ["ipc", "ipc", "tcp"]
    assert managers[0].ip != managers[1].ip
    assert managers[2].ip == "127.0.0.1"


THREADS = """
import os, tempfile, threading, time
from jupyter_client.manager import KernelManager
from dpteach._kernels import private_kernels

class Slow(tempfile.TemporaryDirectory):
    def __init__(self, *args, **kwargs):
        time.sleep(0.2)
        super().__init__(*args, **kwargs)

tempfile.TemporaryDirectory = Slow
private_kernels()
managers = []
threads = [threading.Thread(target=lambda: managers.append(KernelManager())) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
folders = {os.path.dirname(manager.ip) for manager in managers}
print(len(managers), len({manager.ip for manager in managers}), [*map(os.path.isdir, folders)])
"""


def test_kernels_started_by_several_threads_share_one_folder() -> None:
    done = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True)
    assert done.stdout == "4 4 [True]\n", done.stdout + done.stderr
