"""Tests of each barrier and limit of the sandbox; hostile code attacks them from inside.

If the tests run as root, those that depend on the user are repeated as an ordinary user.
"""

from __future__ import annotations

import errno
import json
import os
import pickle
import re
import shutil
import socket
import struct
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import threading
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import dpteach
from dpteach.grading.sandbox import _bubblewrap, _jail, _process, _seccomp, _warm, sandbox
from dpteach.grading.sandbox._process import Clock, Process, json_value
from dpteach.grading.sandbox.alone import Alone
from dpteach.grading.sandbox.inside.frames import ANSWER, CELL, OUTPUT, REPLY, REQUEST, framed
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.sandbox.sandbox import Execution, KernelGoneError, Sandbox, SandboxMissingError

ROOT = Path(__file__).parents[2]
FILE = Path(__file__)

pytestmark = pytest.mark.requires("bubblewrap")

#: code for the sandbox: `tried` evaluates forbidden expressions and prints which of them succeed,
#: and `call` makes a system call by its number
_TRY = """
import ctypes, os, socket, subprocess, sys
libc = ctypes.CDLL(None, use_errno=True)
def tried(**expressions):
    for name, expression in expressions.items():
        try:
            print(name, "->", repr(eval(expression)))
        except BaseException as error:
            print(name, "--", type(error).__name__, getattr(error, "errno", ""))
def call(number, *arguments):
    done = libc.syscall(number, *arguments)
    return "done" if done >= 0 else f"errno {ctypes.get_errno()}"
"""


def text(execution: Execution) -> str:
    """Return the text that a cell printed; assert that the cell raised no error."""
    assert execution.status == "ok", execution.outputs
    return "".join(out["text"] for out in execution.outputs if out["output_type"] == "stream")


@pytest.fixture(scope="module")
def kernel() -> Iterator[Sandbox]:
    """Start one sandbox, with its kernel, for all tests that leave the kernel alive."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPTEACH_SECRET", "do-not-tell")
        with Sandbox(Limits(wall_seconds=600, cpu_seconds=300)) as made:
            made.execute(_TRY)
            yield made


def gone(code: str, seconds: float = 60, **limits: Any) -> str:
    """Run a cell that ends its kernel, and return the reason that the sandbox gives for the end."""
    with Sandbox(Limits(**limits)) as made:
        with pytest.raises(KernelGoneError) as caught:
            made.execute(code, seconds)
        with pytest.raises(KernelGoneError) as again:
            made.execute("1")
        assert again.value.reason == caught.value.reason
        return caught.value.reason


def descendants(pid: int) -> set[int]:
    """Return the ids of a process's children, their children, and so on."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            children.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry.name))
    found, left = set(), [pid]
    while left:
        for child in children.get(left.pop(), []):
            found.add(child)
            left.append(child)
    return found


def memory(*, peak: bool = False) -> int:
    """Return this process's memory in bytes, or its peak since the last call without `peak`."""
    if not peak:
        Path("/proc/self/clear_refs").write_text("5")
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.partition("VmHWM:" if peak else "VmRSS:")[2].split()[0])


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


# --- ordinary cells and questions, which must work in the sandbox


def test_cells_have_the_outputs_of_a_notebook(kernel: Sandbox) -> None:
    run = kernel.execute("import sys\nprint('a')\nprint('b', file=sys.stderr)\n6 * 7")
    assert run.status == "ok" and not run.truncated
    assert {"output_type": "stream", "name": "stdout", "text": "a\n"} in run.outputs
    assert {"output_type": "stream", "name": "stderr", "text": "b\n"} in run.outputs
    assert run.outputs[-1]["data"] == {"text/plain": "42"}
    failed = kernel.execute("print('before')\n1 / 0")
    assert failed.status == "error"
    assert failed.outputs[-1]["ename"] == "ZeroDivisionError"
    shown = kernel.execute("from IPython.display import HTML\nHTML('<b>x</b>')")
    assert shown.outputs[-1]["data"]["text/html"] == "<b>x</b>"
    assert kernel.execute("x = = 1").outputs[-1]["ename"] == "SyntaxError"
    assert kernel.execute("print(1); from IPython.display import clear_output; clear_output()") == (
        Execution("ok", [])
    )


def test_what_courses_use_works(kernel: Sandbox) -> None:
    code = """
        import asyncio, threading, random, json, math, statistics, concurrent.futures
        import numpy as np
        from scipy import stats, optimize
        async def one(): await asyncio.sleep(0.001); return 1
        found = [sum(await asyncio.gather(one(), one()))]
        kept = []
        threads = [threading.Thread(target=kept.append, args=(i,)) for i in range(8)]
        [t.start() for t in threads], [t.join() for t in threads]
        found.append(sum(kept))
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            found.append(sum(pool.map(abs, range(-3, 0))))
        found.append(round(float(np.linalg.inv(np.eye(40) * 2).trace()), 6))
        found.append(round(stats.norm.cdf(0), 6))
        found.append(round(optimize.brentq(lambda x: x * x - 4, 0, 9), 6))
        open("note.txt", "w").write("x"); found.append(open("/tmp/note.txt").read())
        found.append(np.random.default_rng(1).random(3).size)
        print(json.dumps(found))
    """
    assert json.loads(text(kernel.execute(textwrap.dedent(code), 60))) == (
        [2, 28, 6, 20.0, 0.5, 2.0, "x", 3]
    )


def test_what_is_written_while_another_thread_flushes_is_not_forgotten(kernel: Sandbox) -> None:
    code = """
        import sys, threading
        class Lock:
            def __init__(self, lock): self.lock = lock
            def __enter__(self):
                sys.stdout._lock = self.lock
                other = threading.Thread(target=sys.stdout.flush)
                other.start(); other.join()
                return self.lock.__enter__()
            def __exit__(self, *error): return self.lock.__exit__(*error)
        sys.stdout._lock = Lock(sys.stdout._lock)
        _ = sys.stdout.write("all of it")
    """
    assert text(kernel.execute(textwrap.dedent(code))) == "all of it"


@pytest.mark.slow
def test_a_plot_is_drawn(kernel: Sandbox) -> None:
    code = """
        import matplotlib, io
        import matplotlib.pyplot as plt
        plt.plot([1, 2]); file = io.BytesIO(); plt.savefig(file); plt.close()
        print("inline" in matplotlib.get_backend().lower(), len(file.getvalue()) > 1000)
    """
    assert text(kernel.execute(textwrap.dedent(code), 60)) == "True True\n"
    # a figure is an output of the cell that draws it, as in a student's notebook
    outputs = kernel.execute("_ = plt.plot([1, 2])", 60).outputs
    assert [set(output["data"]) for output in outputs] == [{"image/png", "text/plain"}]


ONE_CASE = {"cases": [{"args": [], "kwargs": {}}]}


def test_questions_are_answered_by_observe(kernel: Sandbox) -> None:
    kernel.execute("def double(x):\n    print('seen')\n    return 2 * x")
    told = kernel.ask({"item": "a", "call": "double"}, 10)
    assert told == {"known": "function"}
    kernel.execute("def double(x): return 0")
    question = {"cases": [{"args": [4], "kwargs": {}}]}
    told = kernel.ask({"item": "a", "question": question}, 10)
    assert told["outcomes"] == [{"value": 8}]
    assert told["printed"].startswith("seen")


#: code that looks for traces of an earlier run of the same code in memory, files and variables,
#: leaves such traces itself, and prints what it has found
TRACES = """
import builtins, gc, os, sys, time
from dpteach.grading.core import observe, plain
try:
    seen = [
        sorted(os.listdir(".")), hasattr(builtins, "mine"), hasattr(plain, "mine"), os.getpid(),
        [f for f in os.listdir("/proc")], "mine" in os.environ, len(sys._current_frames()),
        hasattr(observe, "mine"), len([x for x in gc.get_objects() if type(x) is bytearray]),
    ]
except Exception as error:
    seen = repr(error)
open("mine", "w").write("x")
builtins.mine = plain.mine = observe.mine = os.environ["mine"] = "1"
def test(implementation):
    print(seen, [type(c.cell_contents) for c in implementation.__closure__])
    assert implementation(3) == 9
"""


@pytest.mark.requires("bubblewrap")
@pytest.mark.parametrize("unsafe", [False, True])
def test_each_question_has_a_process_of_its_own(unsafe: bool) -> None:
    question = {"cases": [{"test": True}]}
    heard: list[Any] = []

    def replies(value: int) -> Any:
        return lambda data: heard.append(data) or {"value": value}

    with Alone(Limits(), unsafe=unsafe, data={"data/x.csv": b"1"}) as alone:
        found = [alone.ask([TRACES], "test", question, 20, replies(value)) for value in (9, 9, 3)]
        for cells, known in ((["1/0", "%time test = 3"], "uncallable"), ([], "missing")):
            assert alone.ask(cells, "test", question, 20)["known"] == known
        for cell, reason in (("import os; os._exit(1)", "died"), ("while True: pass", "time")):
            with pytest.raises(KernelGoneError, match=reason):
                alone.ask([cell], "test", question, 0.3)
        assert alone.ask([TRACES], "test", question, 20, replies(9))["known"] == "function"
    assert [one["outcomes"][0]["accepts"] for one in found] == [True, True, False]
    assert heard == 4 * [{"args": [3], "kwargs": {}}], "no request says whom it is about"
    if not unsafe:
        printed = {one["printed"] for one in found}
        assert len(printed) == 1, "nothing of the first one is there"
        assert "[['data'], False, False, 1, [], False, 1, False" in printed.pop()


@pytest.mark.requires("bubblewrap")
def test_a_process_has_scipy_and_ipython_only_if_cells_may_need_them() -> None:
    # the names of the modules are split here, because code with "scipy" or "IPython" in its text
    # gets a process that has imported them
    has = "'sci' 'py.stats' in sys.modules or 'IPy' 'thon' in sys.modules or 'walls' in globals()"
    lean = f"import sys\ndef test(f):\n    return not ({has})"
    with Alone(Limits()) as alone:
        for cells, expected in (
            ([lean], True),
            ([lean, "from scipy.special import erf"], False),
            ([lean, "%pylab"], False),
            ([lean, "display(1)"], False),
            ([lean, "# " + 100_000 * "x"], False),
        ):
            found = alone.ask(cells, "test", {"cases": [{"test": True}]}, 20)
            assert found["outcomes"][0]["accepts"] is expected, cells


def test_nobody_types_anything(kernel: Sandbox) -> None:
    for cell, name in (("input()", "raw_input"), ("import getpass; getpass.getpass()", "getpass")):
        (error,) = kernel.execute(cell).outputs
        assert error["ename"] == "StdinNotImplementedError" and error["evalue"].startswith(name)
    kernel.execute("def asks(): return input('a number? ')")
    found = kernel.ask({"item": "a", "call": "asks", "question": ONE_CASE}, 10)
    assert found["outcomes"][0]["raises"] == "EOFError"


def test_what_a_cell_sets_holds_in_the_next(kernel: Sandbox) -> None:
    """Settings of numpy, which numpy keeps in context variables, stay in force in later cells."""
    kernel.execute(
        "import numpy as np\nnp.set_printoptions(precision=2)\nnp.seterr(divide='raise')"
    )
    assert text(kernel.execute("print(np.array([1 / 3]))")) == "[0.33]\n"
    assert kernel.execute("np.log(0.0)").outputs[-1]["ename"] == "FloatingPointError"
    kernel.execute("np.set_printoptions(precision=8)\nnp.seterr(divide='warn')")


def test_check_is_there_and_does_nothing(kernel: Sandbox) -> None:
    assert kernel.execute('from dpteach.grading import check\n\ncheck("kl_values")') == (
        Execution("ok", [])
    )


# --- which files the sandbox shows


def test_nothing_of_ours_is_in_sight(kernel: Sandbox, tmp_path: Path) -> None:
    secret = tmp_path / "gradebook.db"
    secret.write_text("points")
    paths = [secret, FILE, ROOT, dpteach.__file__, Path.home(), "/root", "/home", "/var"]
    paths += ["/etc/passwd", "/etc/shadow", "/etc/hostname", "/run", "/mnt", "/opt", "/srv", "/sys"]
    paths += ["/usr/local", "/usr/bin", "/usr/share/doc", tempfile.gettempdir() + "/pytest-of-root"]
    paths += [sys.prefix, ROOT / ".venv", ROOT / ".git", "/proc/1/root" + str(ROOT)]
    seen = text(
        kernel.execute(f"print([p for p in {[str(p) for p in paths]!r} if os.path.exists(p)])")
    )
    # of these paths, at most /tmp exists inside: it is the sandbox's own, empty /tmp
    assert set(eval(seen)) <= {"/tmp"}, seen


def test_no_file_is_called_after_us_or_tells_the_reference(kernel: Sandbox) -> None:
    code = """
        found = []
        for top, folders, files in os.walk("/"):
            if top == "/": folders[:] = [f for f in folders if f not in ("proc", "usr", "python")]
            found += [f"{top}/{name}" for name in folders + files if "dpteach" in name.lower()]
        print([(path, os.listdir(path) if os.path.isdir(path) else "") for path in found])
    """
    found = eval(text(kernel.execute(textwrap.dedent(code), 120)))
    # if dpteach is installed on the machine, the sandbox may show the names of its files and its
    # folders, but the folders must be empty
    assert all(path.startswith("/site/") and files in ([], "") for path, files in found), found
    seen = text(kernel.execute("tried(pth=\"open('/site/0/_editable_impl_dpteach.pth').read()\")"))
    assert "->" not in seen


@pytest.mark.parametrize(
    "module",
    [
        "dpteach.divergences",
        "dpteach.grading.judging.judge",
        "dpteach.grading.core.exam",
        "dp_accounting",
        "tests",
    ],
)
def test_the_reference_cannot_be_imported(kernel: Sandbox, module: str) -> None:
    assert kernel.execute(f"import {module}").outputs[-1]["ename"] == "ModuleNotFoundError"


def test_a_reloaded_dpteach_is_no_other(kernel: Sandbox) -> None:
    code = """
        import importlib
        saved = {n: sys.modules.pop(n) for n in list(sys.modules) if n.split(".")[0] == "dpteach"}
        try:
            import dpteach
            print(dpteach.__path__, [n for n in sys.modules if n.startswith("dpteach.")])
            import dpteach.divergences
        except ModuleNotFoundError:
            print("none")
        finally:
            sys.modules.update(saved)
    """
    assert text(kernel.execute(textwrap.dedent(code))).endswith("none\n")


def outside(kernel: Sandbox, name: str) -> str:
    """Read the file `name` in /proc about a kernel's process, from outside of the sandbox."""
    return (Path(kernel._jail._place).parent / name).read_text()


def test_the_environment_is_made_anew(kernel: Sandbox) -> None:
    seen = text(kernel.execute("print(dict(os.environ))")) + outside(kernel, "environ")
    assert "do-not-tell" not in seen
    assert not any(str(place) in seen for place in (ROOT, Path.home() / "x", sys.prefix))


def test_no_other_process_is_in_sight(kernel: Sandbox) -> None:
    code = """
        print([p for p in os.listdir("/proc") if p.isdigit()])
        for p in os.listdir("/proc"):
            if p.isdigit():
                for what in ("cmdline", "environ", "comm"):
                    try: print(open(f"/proc/{p}/{what}").read())
                    except OSError: pass
    """
    seen = text(kernel.execute(textwrap.dedent(code)))
    assert eval(seen.splitlines()[0]) in (["1"], ["1", "2"])
    assert "pytest" not in seen and "do-not-tell" not in seen and str(ROOT) not in seen


def test_it_has_no_rights(kernel: Sandbox) -> None:
    seen = text(kernel.execute("print(open('/proc/self/status').read(), os.getresuid())"))
    for line in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert f"{line}:\t0000000000000000" in seen
    assert "NoNewPrivs:\t1" in seen and "Seccomp:\t2" in seen
    if os.geteuid() == 0:
        here = Path("/proc/self/uid_map").read_text().split()
        # user ids are the same inside and outside of the sandbox
        assert outside(kernel, "uid_map").split() == here
        number = int(text(kernel.execute("print(os.getuid())")))
        assert number >= 2048 and "Groups:\t \n" in seen


def test_nothing_can_be_changed_outside_tmp(kernel: Sandbox) -> None:
    code = """
        for place in ("/", "/site/0", "/python/bin", "/grading", "/usr/lib", "/dev", "/dev/shm",
                      "/etc", "/proc/sys/kernel", "/tmp"):
            tried(**{place: f"open({place + '/x'!r}, 'w').write('x')"})
        tried(launcher="open('/grading/launcher.py', 'a')",
              numpy="os.unlink('/site/0/numpy/__init__.py')",
              memory="os.open('/proc/1/mem', os.O_RDWR) if os.getpid() != 1 else 1 / 0",
              mode="os.chmod('/site/0', 0o777)", sysrq="open('/proc/sysrq-trigger', 'w')",
              name="socket.sethostname('x')", clock="__import__('time').clock_settime(0, 0)",
              nice="os.nice(-1)", limit="__import__('resource').setrlimit(9, (-1, -1))")
    """
    seen = text(kernel.execute(textwrap.dedent(code)))
    assert [line for line in seen.splitlines() if "->" in line] == ["/tmp -> 1"]


@pytest.mark.parametrize("root", [True, False])
def test_the_walls_that_are_asked_for(root: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """bubblewrap gets the options for all barriers.

    Hostile code inside of the sandbox cannot test this: the first barrier that stops the code hides
    whether the others exist.
    """
    monkeypatch.setattr(_bubblewrap, "is_root", lambda: root)
    files = {"/grading/launcher.py": "/here/launcher.py"}
    run, told, site = _bubblewrap.command(files)
    assert told.endswith(b"\0")
    words = told.decode().split("\0")[:-1]
    one_line = " ".join(words)
    if root:
        apart = "--unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try"
        apart += " --cap-drop ALL --cap-add CAP_SETUID --cap-add CAP_SETGID --cap-add CAP_SETPCAP"
        apart += " --cap-add CAP_SYS_ADMIN"
    else:
        apart = "--unshare-all --unshare-user --uid 1000 --gid 1000 --cap-drop ALL"
    apart += " --as-pid-1 --die-with-parent --new-session --hostname sandbox --clearenv"
    assert one_line.startswith(f"{apart} --setenv HOME /tmp")
    for wall in (
        "--proc /proc --dev /dev --remount-ro /dev",
        "--dir /grading --ro-bind /here/launcher.py /grading/launcher.py",
    ):
        assert wall in one_line
    assert words[-6:] == ["--dir", "/tmp", "--remount-ro", "/", "--chdir", "/tmp"]
    assert not {"--bind", "--dev-bind", "--bind-try", "--cap-add"} & set(words[18:])
    python, *options = run
    assert python.startswith("/python/bin/python3")
    assert options == ["-s", "-S", "-P", "-B", "-c", _bubblewrap.START, "/grading"]
    assert site == [f"/site/{i}" for i in range(len(_bubblewrap.site_folders()))]


#: returns a sandbox's mounts by path: the file system's type, the mount's options, and the file
#: system's options
def _mounts(made: Sandbox) -> dict[str, tuple[str, set[str], set[str]]]:
    found = {}
    for line in outside(made, "mountinfo").splitlines():
        own, _, kind = line.partition(" - ")
        sort, _, options = kind.split(" ")
        # a later mount with the same path hides an earlier one, so it may overwrite the entry
        found[own.split()[4]] = sort, set(own.split()[5].split(",")), set(options.split(","))
    return found


def test_the_walls_that_a_kernel_gets(kernel: Sandbox) -> None:
    """A kernel's mounts are read-only, except for /tmp and mounts below /dev and /proc."""
    found = _mounts(kernel)
    sort, how, options = found["/tmp"]
    assert sort == "tmpfs" and {"rw", "nosuid", "nodev"} <= how
    assert f"size={128 << 10}k" in options
    assert found["/proc"][0] == "tmpfs" and {"ro", "nosuid", "nodev", "noexec"} <= found["/proc"][1]
    assert found["/dev/pts"][0] == "devpts" and {"nosuid", "noexec"} <= found["/dev/pts"][1]
    for place, (_, how, _) in found.items():
        if place.startswith("/proc/"):
            assert {"nosuid", "nodev", "noexec"} <= how, place
        writable = place in ("/tmp", "/dev/pts") or place.startswith(("/dev/", "/proc/"))
        assert writable or "ro" in how, place


def test_the_environment_inside(kernel: Sandbox) -> None:
    """The environment variables are fixed, so that runs are reproducible and use one core."""
    seen = eval(text(kernel.execute("print(dict(os.environ))")))
    wanted = {"HOME": "/tmp", "PYTHONHASHSEED": "0", "TZ": "UTC", "MALLOC_ARENA_MAX": "2"}
    wanted |= {"LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    wanted["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    for name in ("MKL", "NUMEXPR", "OMP", "OPENBLAS"):
        wanted[f"{name}_NUM_THREADS"] = "1"
    assert wanted.items() <= seen.items()


@pytest.mark.parametrize(
    ("lines", "least", "most"),
    [
        ("0 0 4294967295\n", 0x7000_0000, 0x7FFE_FFFF),
        ("0 0 65536\n", 32768, 65535),
        ("0 1000 1\n1 100000 65536\n", 32769, 65536),
        ("0 0 2048\n", 1024, 2047),
        ("0 0 2047\n", None, None),
        ("0 1000 1\n", None, None),
        ("nonsense", None, None),
    ],
)
def test_root_becomes_nobody_else(
    lines: str, least: int | None, most: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Map:
        def __init__(self, path: str) -> None:
            assert path == "/proc/self/uid_map"

        def read_text(self, encoding: str) -> str:
            return lines

    monkeypatch.setattr(_bubblewrap, "Path", Map)
    for chosen in (0, -1):
        monkeypatch.setattr(_bubblewrap.secrets, "randbelow", lambda n, k=chosen: k % n)
        user = _bubblewrap.throwaway()
        assert user in (least, most)
    assert _bubblewrap.is_root() == (os.geteuid() == 0 and least is not None)


# --- system calls


def test_a_line_for_the_shell_costs_nothing(kernel: Sandbox) -> None:
    for line in ("!pip install numpy", "found = !ls", "%pip install numpy"):
        seen = text(kernel.execute(f"{line}\nprint('the rest')"))
        assert "not run" in seen and "the rest" in seen


def test_no_network(kernel: Sandbox) -> None:
    code = """
        tried(inet="socket.socket()", inet6="socket.socket(socket.AF_INET6)",
              packet="socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
              netlink="socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
              vsock="socket.socket(socket.AF_VSOCK)", name="socket.getaddrinfo('localhost', 80)[0]",
              get="socket.create_connection(('127.0.0.1', 22), 1)")
        print(socket.socketpair() and "local")
    """
    seen = text(kernel.execute(textwrap.dedent(code)))
    assert "local\n" in seen
    assert [
        line for line in seen.splitlines() if "->" in line and not line.startswith("name")
    ] == []
    devices = re.findall(r"(?m)^ *(\w+):", outside(kernel, "net/dev"))
    assert "lo" in devices and not {"eth0", "docker0", "wlan0"} & set(devices)


def test_abstract_sockets_of_others_are_out_of_reach(kernel: Sandbox) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("\0dpteach-test")
        listener.listen(1)
        run = kernel.execute("socket.socket(socket.AF_UNIX).connect('\\0dpteach-test')")
    assert run.outputs[-1]["ename"] == "PermissionError"


def test_no_process_can_be_made(kernel: Sandbox) -> None:
    code = """
        import multiprocessing, pty
        tried(fork="os.fork()", run="subprocess.run(['/python/bin/python3', '-V'])",
              system="1 / (os.system('true') == 0)",
              spawn="os.posix_spawn('/python/bin/python3.11', ['x'], {})", pty="pty.fork()",
              exec="os.execv('/python/bin/python3.11', ['x'])",
              popen="os.popen('true').read()",
              process="multiprocessing.get_context('fork').Process(target=print).start()",
              pool="multiprocessing.get_context('spawn').Pool(1)")
    """
    seen = text(kernel.execute(textwrap.dedent(code)))
    assert seen.count("--") == 9 and "->" not in seen, seen


@pytest.mark.skipif(sysconfig.get_platform() != "linux-x86_64", reason="numbers of calls")
def test_doors_into_the_system_are_shut(kernel: Sandbox) -> None:
    calls = {
        "fork": (57,),
        "vfork": (58,),
        "clone": (56, 17, 0, 0, 0, 0),
        "clone3": (435, 0, 0),
        "execveat": (322, -1, 0, 0, 0, 0x1000),
        "ptrace": (101, 0, 0, 0, 0),
        "process_vm_writev": (311, 1, 0, 0, 0, 0, 0),
        "unshare": (272, 0x10000000),
        "setns": (308, 3, 0),
        "mount": (165, 0, 0, 0, 0, 0),
        "chroot": (161, 0),
        "bpf": (321, 0, 0, 0),
        "userfaultfd": (323, 0),
        "perf_event_open": (298, 0, 0, 0, 0, 0),
        "io_uring_setup": (425, 1, 0),
        "keyctl": (250, 0, 0),
        "add_key": (248, 0, 0, 0, 0, 0),
        "memfd_create": (319, 0, 0),
        "memfd_secret": (447, 0),
        "shmget": (29, 0, 1 << 30, 0o1600),
        "mq_open": (240, 0, 0, 0, 0),
        "setxattr": (188, 0, 0, 0, 0, 0),
        "prctl, to outlive the grader": (157, 1, 0, 0, 0, 0),
        "statmount": (457, 0, 0, 0, 0),
        "listmount": (458, 0, 0, 0, 0),
        "pidfd_open": (434, 1, 0),
        "sendmsg, which counts descriptors in flight": (46, 0, 0, 0),
        "timer_create, which counts signals": (222, 0, 0, 0),
        "rt_sigqueueinfo": (129, 1, 0, 0),
        "sync": (162,),
    }
    code = f"""
        for name, arguments in {calls!r}.items():
            print(name, "->", call(*arguments))
    """
    seen = text(kernel.execute(textwrap.dedent(code)))
    for line in seen.splitlines():
        name, _, outcome = line.partition(" -> ")
        assert outcome == f"errno {errno.ENOSYS if name == 'clone3' else errno.EPERM}", line
    assert len(seen.splitlines()) == len(calls)
    assert kernel.execute("os.setuid(0)").status == "error"


#: functions for a test that two sandboxes cannot communicate: one sandbox marks a file that both
#: can read, for example by a lock, and the other one looks for the marks
_TOLD = """
import fcntl, mmap, struct, time
path = os.__file__
file = os.open(path, os.O_RDONLY)
room = mmap.mmap(file, 4096, prot=mmap.PROT_READ)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t) + 3 * (ctypes.c_int,) + (ctypes.c_long,)
word = ctypes.c_void_p(libc.mmap(None, 4096, 1, 1, file, 0))
first = struct.unpack("I", room[:4])[0]
FUTEX, HINT = libc.syscall, 1024 + 12
def lock(kind, at): return struct.pack("hhqqi", kind, 0, at, 1, 0)
def doing(*does):
    for do in does:
        try: do()
        except OSError: pass
def seen(**looks):
    for name, look in looks.items():
        try:
            if look(): print(name)
        except OSError: pass
def is_held(command, at):
    return struct.unpack("hhqqi", fcntl.fcntl(file, command, lock(fcntl.F_WRLCK, at)))[0] != 2
def is_flocked():
    try: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError: return True
    fcntl.flock(file, fcntl.LOCK_UN)
"""
_TELLS = """
import threading
doing(lambda: open(path).read(), lambda: fcntl.flock(file, fcntl.LOCK_SH),
      lambda: fcntl.fcntl(file, fcntl.F_SETLK, lock(fcntl.F_RDLCK, 7)),
      lambda: fcntl.fcntl(file, 37, lock(fcntl.F_RDLCK, 9)),
      lambda: fcntl.fcntl(file, HINT, struct.pack("Q", 3)),
      lambda: os.utime("/dev/null"))
def wait():
    for _ in range(20):  # some interrupt it
        libc.syscall(202, word, 0, first, ctypes.byref(moment), None, 0)
moment = (ctypes.c_long * 2)(30, 0)
threading.Thread(target=wait, daemon=True).start()
"""


def test_two_at_once_cannot_talk() -> None:
    """A sandbox does not notice another one's locks, hints on files, waiting threads etc."""
    if os.uname().machine != "x86_64":
        pytest.skip("the numbers of calls are those of x86_64")
    with Sandbox(Limits()) as one, Sandbox(Limits()) as other:
        for made in (one, other):
            made.execute(_TRY)
            assert made.execute(_TOLD).status == "ok"
        watch = """
            watching = libc.inotify_init()
            libc.inotify_add_watch(watching, path.encode(), 0xFFF)
            if watching >= 0: os.set_blocking(watching, False)
            before = os.stat("/dev/null").st_mtime
        """
        assert other.execute(textwrap.dedent(watch)).status == "ok"
        time.sleep(1.1)
        assert one.execute(_TELLS).status == "ok"
        time.sleep(1.0)
        look = """
            seen(flock=is_flocked, range=lambda: is_held(fcntl.F_GETLK, 7),
                 description=lambda: is_held(36, 9),
                 hint=lambda: struct.unpack("Q", fcntl.fcntl(file, HINT - 1, bytes(8)))[0],
                 inotify=lambda: watching >= 0 and os.read(watching, 99),
                 time=lambda: os.stat("/dev/null").st_mtime != before,
                 futex=lambda: libc.syscall(202, word, 1, 1, None, None, 0) > 0,
                 load=os.getloadavg, memory=lambda: open("/proc/meminfo").read(),
                 switches=lambda: open("/proc/stat").read(),
                 handles=lambda: open("/proc/sys/fs/file-nr").read(),
                 system=lambda: libc.sysinfo(ctypes.create_string_buffer(500)) == 0,
                 cached=lambda: os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT),
                 pages=lambda: libc.mincore(word, 4096, ctypes.create_string_buffer(1)) == 0)
        """
        assert text(other.execute(textwrap.dedent(look))) == ""


def test_what_is_open_from_the_start_is_open_for_one_sandbox_only() -> None:
    """Each sandbox opens its standard streams anew, because forks share flags of open files."""
    tell = "import fcntl\nfor n in (0, 1, 2): fcntl.fcntl(n, fcntl.F_SETFL, 0o6000)"
    look = "import fcntl\nprint([fcntl.fcntl(n, fcntl.F_GETFL) & 0o6000 for n in (0, 1, 2)])"
    with Sandbox() as one:
        assert one.execute(tell).status == "ok"
        with Sandbox() as other:
            assert text(other.execute(look)) == "[0, 0, 0]\n"
        assert "0, 0, 0" not in text(one.execute(look))
    with Sandbox() as later:
        assert text(later.execute(look)) == "[0, 0, 0]\n"


def test_numbers_that_other_sandboxes_change_are_not_in_sight(kernel: Sandbox) -> None:
    """The sandbox hides files of /proc and options of sockets that show what other sandboxes do."""
    code = """
        import os, socket, threading, time
        threading.Thread(target=time.sleep, args=(9,), name="sleeper", daemon=True).start()
        sleeper = next(t.native_id for t in threading.enumerate() if t.name == "sleeper")
        for pid in ("self", "thread-self", "1", "1/task/1", sleeper, f"1/task/{sleeper}"):
            for name in ("smaps", "smaps_rollup", "pagemap", "numa_maps", "mountinfo", "ns/mnt"):
                if os.path.lexists(f"/proc/{pid}/{name}"): print(pid, name)
        one, _ = socket.socketpair()
        for option in (57, 71, 77):
            try: print(one.getsockopt(socket.SOL_SOCKET, option, 8))
            except PermissionError: pass
        print(sorted(os.listdir("/proc")), int(open("/proc/self/stat").read().split()[0]))
    """
    seen = text(kernel.execute(textwrap.dedent(code)))
    assert seen == "['1', 'cpuinfo', 'filesystems', 'self', 'version'] 1\n"


def test_what_copies_files_need_not_know(kernel: Sandbox) -> None:
    code = """
        import shutil, fcntl, select
        open("/tmp/a", "w").write("x"); shutil.copy2("/tmp/a", "/tmp/b")
        os.posix_fadvise(os.open("/tmp/b", os.O_RDONLY), 0, 0, os.POSIX_FADV_SEQUENTIAL)
        r, w = os.pipe(); os.set_blocking(r, False); os.dup(r)
        print(open("/tmp/b").read(), fcntl.fcntl(r, fcntl.F_GETFL) & os.O_NONBLOCK != 0)
        import sqlite3
        print(sqlite3.connect(":memory:").execute("select 1").fetchone())
    """
    assert text(kernel.execute(textwrap.dedent(code))) == "x True\n(1,)\n"


def filtered(
    program: bytes, number: int, *, arch: int, argument: int = 0, second: int = 0, third: int = 0
) -> int:
    """Run a seccomp filter's BPF program on a system call, and return the filter's answer."""
    steps = [struct.unpack_from("=HBBI", program, 8 * i) for i in range(len(program) // 8)]
    data = {0: number, 4: arch, 16: argument, 24: second, 32: third}
    at, held = 0, 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        if code == 0x20:
            held = data[value]
        elif code == 0x06:
            return int(value)
        else:
            met = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[code]
            at += yes if met else no


def run_filter(program: bytes, number: int, **seen: int) -> str:
    """Return a seccomp filter's answer to a system call: "allow", "fail" or "kill"."""
    names = {0x7FFF0000: "allow", 0x80000000: "kill", 0x50000: "fail"}
    return names[filtered(program, number, **seen) & 0xFFFF0000]


#: numbers of system calls to which the filter returns 0, as after a success, without any effect
UNHEARD = {"x86_64": {221, 132, 235, 261, 280}, "aarch64": {223, 88}}
#: the filter's answers to system calls whose arguments are 0, by the number of the call
WITH_ZERO = {
    "x86_64": {435: "ENOSYS", 41: "EAFNOSUPPORT", 53: "EAFNOSUPPORT", 202: "EAGAIN", 72: "ALLOW"},
    "aarch64": {435: "ENOSYS", 198: "EAFNOSUPPORT", 199: "EAFNOSUPPORT", 98: "EAGAIN", 25: "ALLOW"},
}


#: Linux's header files with the numbers of system calls, and a pattern for a line that defines one;
#: not all machines have these files
TABLES = {
    "x86_64": ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", r"__NR_(\w+) (\d+)"),
    "aarch64": ("/usr/include/asm-generic/unistd.h", r"__NR(?:3264)?_(\w+) (\d+)"),
}


@pytest.mark.parametrize(("machine", "arch"), [("x86_64", 0xC000003E), ("aarch64", 0xC00000B7)])
def test_the_filter_answers_every_number(machine: str, arch: int) -> None:
    """The filter allows only the calls in `_seccomp`'s list, which has the right number for each.

    The right numbers are those in Linux's header files.
    """
    program = _seccomp.program(machine)
    rows = _seccomp._rows(list(TABLES).index(machine))
    allowed = {int(row.split()[1 + list(TABLES).index(machine)]) for row in rows}
    assert 80 < len(allowed) == len(rows)
    for number in range(1000):
        wanted = 0x7FFF0000 if number in allowed else 0x50000 | errno.EPERM
        if number in UNHEARD[machine]:
            wanted = 0x50000
        elif number in WITH_ZERO[machine]:
            how = WITH_ZERO[machine][number]
            wanted = 0x7FFF0000 if how == "ALLOW" else 0x50000 | getattr(errno, how)
        elif number >= _seccomp._NEWER:
            wanted = 0x50000 | errno.ENOSYS
        assert filtered(program, number, arch=arch) == wanted, number
    path, pattern = TABLES[machine]
    if os.path.exists(path):
        known = dict(re.findall(f"#define {pattern}$", Path(path).read_text(), re.MULTILINE))
        known["newfstatat"] = known.get("newfstatat", known.get("fstatat"))
        for row in rows:
            name, number = row.split()[0], row.split()[1 + list(TABLES).index(machine)]
            assert known.get(name, number) == number, row


@pytest.mark.parametrize(
    ("machine", "arch", "numbers"),
    [
        (
            "x86_64",
            0xC000003E,
            {
                "clone": 56,
                "socket": 41,
                "pair": 53,
                "prctl": 157,
                "fcntl": 72,
                "futex": 202,
                "flock": 73,
                "utime": 280,
                "inotify": 294,
                "execve": 59,
                "execveat": 322,
                "read": 0,
                "mount": 165,
                "get": 55,
                "set": 54,
            },
        ),
        (
            "aarch64",
            0xC00000B7,
            {
                "clone": 220,
                "socket": 198,
                "pair": 199,
                "prctl": 167,
                "fcntl": 25,
                "futex": 98,
                "flock": 32,
                "utime": 88,
                "inotify": 26,
                "execve": 221,
                "execveat": 281,
                "read": 63,
                "mount": 40,
                "get": 209,
                "set": 208,
            },
        ),
    ],
)
def test_the_filter_says_what_it_should(machine: str, arch: int, numbers: dict[str, int]) -> None:
    program = _seccomp.program(machine)

    def said(name: str, argument: int = 0, second: int = 0, third: int = 0) -> str:
        seen = {"argument": argument, "second": second, "third": third}
        return run_filter(program, numbers[name], arch=arch, **seen)

    assert said("read") == "allow"
    assert said("execve") == said("execveat") == said("mount") == "fail"
    assert said("clone", 0x3D0F00) == "allow" and said("clone", 17) == "fail"
    assert said("socket", 1) == "allow" and said("socket", 2) == said("socket", 16) == "fail"
    assert said("pair", 1) == "allow" and said("pair", 30) == "fail"
    assert said("prctl", 1) == "fail" and said("prctl", 15) == "allow"
    # the flags 0x3D0F00 create a thread; with CLONE_PIDFD, added here, the call would also return
    # a file descriptor of the thread, so the filter refuses the call
    assert said("clone", 0x3D0F00 | 0x1000) == "fail"
    assert said("get", 1, 1, 4) == said("set", 1, 1, 7) == "allow"
    assert {said("get", 1, 1, option) for option in (57, 59, 71, 77)} == {"fail"}
    assert {said("set", 1, 1, option) for option in (26, 42, 50)} == {"fail"}
    assert said("flock") == said("utime") == said("inotify") == "fail"
    allowed = {command for command in range(2000) if said("fcntl", 9, command) == "allow"}
    assert allowed == {0, 1, 2, 3, 4, 1030, 1032}
    assert said("futex", 0, 0x80) == said("futex", 0, 0x189) == "allow"
    assert said("futex", 0, 0) == said("futex", 0, 1) == said("futex", 0, 0x109) == "fail"
    assert run_filter(program, 435, arch=arch) == "fail"
    assert run_filter(program, numbers["read"], arch=0x40000003) == "kill"
    if machine == "x86_64":
        assert run_filter(program, 0x40000000, arch=arch) == "kill"


# --- limits of memory, files, threads and time


def test_the_limits_are_set(kernel: Sandbox) -> None:
    names = ["AS", "CPU", "FSIZE", "NOFILE", "CORE", "MSGQUEUE", "MEMLOCK", "NPROC"]
    code = f"""
        import resource
        print([resource.getrlimit(getattr(resource, "RLIMIT_" + name)) for name in {names}])
    """
    seen = dict(zip(names, eval(text(kernel.execute(textwrap.dedent(code)))), strict=True))
    least = {"AS": 2 << 30, "FSIZE": 64 << 20, "NOFILE": 256, "CORE": 0, "MSGQUEUE": 0}
    assert seen.pop("NPROC")[0] == 64 or not _jail._counts_by_namespace()
    # after 300 s of processor time the kernel gets a signal, and after 301 s it is killed
    assert seen.pop("CPU") == (300, 301)
    assert seen == {name: (value, value) for name, value in (least | {"MEMLOCK": 0}).items()}


def test_the_limits_that_the_guide_tells() -> None:
    assert Limits() == Limits(
        memory=2 * 2**30,
        cpu_seconds=60,
        wall_seconds=120.0,
        cell_seconds=20.0,
        file_bytes=64 * 2**20,
        disk_bytes=128 * 2**20,
        disk_files=10_000,
        output_bytes=2**20,
        flood_bytes=32 * 2**20,
        message_bytes=32 * 2**20,
        processes=64,
        files=256,
    )


def test_memory_is_limited(kernel: Sandbox) -> None:
    run = kernel.execute("x = bytearray(6 << 30)")
    assert run.outputs[-1]["ename"] == "MemoryError"
    run = kernel.execute("import numpy as np\nkept = [np.zeros(1 << 26) for _ in range(40)]")
    assert "Memory" in run.outputs[-1]["ename"]
    assert text(kernel.execute("kept = x = None\nprint(1)")) == "1\n"


def test_files_are_limited(kernel: Sandbox) -> None:
    code = """
        def fill(many, size):
            try:
                for i in range(many):
                    with open(f"/tmp/fill{i}", "wb") as file: file.write(b"x" * size)
            finally:
                for i in range(many):
                    if os.path.exists(f"/tmp/fill{i}"): os.unlink(f"/tmp/fill{i}")
        tried(one="fill(1, 65 << 20)", many="fill(40, 8 << 20)",
              open="[os.pipe() for _ in range(1000)]")
    """
    seen = text(kernel.execute(textwrap.dedent(code), 60))
    assert seen.splitlines() == [
        f"one -- OSError {errno.EFBIG}",
        f"many -- OSError {errno.ENOSPC}",
        f"open -- OSError {errno.EMFILE}",
    ]


def test_threads_are_limited(kernel: Sandbox) -> None:
    code = """
        import threading
        event, threads = threading.Event(), []
        try:
            for _ in range(1000):
                threads.append(threading.Thread(target=event.wait))
                threads[-1].start()
        except RuntimeError:
            print(len(threads) < 100)
        event.set()
    """
    assert text(kernel.execute(textwrap.dedent(code))) == "True\n"


def test_what_a_busy_machine_takes_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting for a processor extends a time limit, to at most three times the limit."""
    delays = iter([7.0, 7.0, 9.5, 99.0])
    monkeypatch.setattr(_process.time, "monotonic", lambda: 100.0)
    clock = Clock(10.0, lambda: next(delays))
    assert [clock.end() for _ in range(3)] == [110.0, 112.5, 130.0]


def test_what_a_kernel_waits_for_a_processor_is_known(kernel: Sandbox) -> None:
    before = kernel._jail.delayed()
    told = outside(kernel, "schedstat").split()[1]
    assert 0.0 <= before <= int(told) / 1e9 <= kernel._jail.delayed()
    # the waiting time, `delayed`, cannot be read after the kernel has ended, so the sandbox keeps
    # the last value
    with Sandbox() as made:
        known = made.delayed
    assert made.delayed >= known


def test_what_the_grader_takes_to_answer_is_not_counted() -> None:
    """A process's time limit does not count the time for which it waits for the grader's answer."""
    cells = ["def test(f):\n    for _ in range(4): f(1)"]
    with Alone(Limits()) as alone:
        question = {"cases": [{"test": True}]}
        found = alone.ask(
            cells, "test", question, 0.3, lambda data: time.sleep(0.2) or {"value": 1}
        )
        assert found["outcomes"] == [{"accepts": True}]


def test_processor_time_is_limited() -> None:
    assert gone("while True: pass", cpu_seconds=2) == "time"


@pytest.mark.parametrize(
    "code",
    [
        "while True: pass",
        "import time; time.sleep(1000)",
        "import signal\nfor s in range(1, 32):\n    try: signal.signal(s, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\nwhile True: pass",
        "class A:\n    def __del__(self):\n        while True: pass\na = A(); del a",
    ],
    ids=["loop", "sleep", "deaf", "del"],
)
def test_cells_that_do_not_end_are_ended(code: str) -> None:
    start = time.monotonic()
    assert gone(code, seconds=1) == "time"
    assert time.monotonic() - start < 40


def test_the_session_ends_in_time() -> None:
    start = time.monotonic()
    with (
        pytest.raises(KernelGoneError, match="time"),
        Sandbox(Limits(wall_seconds=3, cell_seconds=100)) as made,
    ):
        made.execute("import time; time.sleep(100)")
    assert time.monotonic() - start < 20


@pytest.mark.parametrize(
    "code",
    [
        "import os; os._exit(0)",
        "import os, signal; os.kill(os.getpid(), signal.SIGSEGV); os.abort()",
        "import ctypes; ctypes.string_at(1)",
        "import os; os.close(3); os._exit(9)",
    ],
    ids=["exit", "signal", "fault", "worse"],
)
def test_kernels_that_die_are_said_to_be_dead(code: str) -> None:
    assert gone(code) == "died"


def test_very_many_files_end_the_kernel() -> None:
    code = "import os\nfor i in range(10**9): os.close(os.open(f'/tmp/{i}', os.O_CREAT))"
    assert gone(code, seconds=50) == "memory"


def test_much_output_is_cut_and_a_flood_ends_the_kernel() -> None:
    with Sandbox(Limits(output_bytes=100_000)) as made:
        run = made.execute("print('x' * 60_000)")
        assert not run.truncated
        run = made.execute("for i in range(100): print('y' * 10_000)\n1 / 0", 60)
        assert run.truncated and run.status == "error"
        assert 0 < len(run.outputs[0]["text"]) < 100_000
        assert run.outputs[-1]["ename"] == "ZeroDivisionError"
        assert made.execute("print('z')") == Execution("ok", [], truncated=True)

        held = memory()
        start = time.monotonic()
        with pytest.raises(KernelGoneError, match="output"):
            made.execute("for i in range(100): print('x' * 1_000_000)", 60)
        assert memory(peak=True) - held < 100 << 20 and time.monotonic() - start < 30


def test_an_error_for_which_there_is_no_room_is_cut() -> None:
    with Sandbox(Limits(output_bytes=1_000)) as made:
        run = made.execute("raise ValueError('x' * 50_000)")
        (error,) = run.outputs
        assert run.truncated and error["ename"] == "ValueError"
        assert set(error["evalue"]) == {"x"} and len(error["evalue"]) <= 1_000


# --- nothing is left behind


def test_nothing_is_left_of_a_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Sandbox():
        pass  # the process that forks kernels, started here, stays alive
    before, files = descendants(os.getpid()), len(os.listdir("/proc/self/fd"))
    for code in (
        "1",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(99,)).start()",
    ):
        with Sandbox() as made:
            made.execute(code)
            assert descendants(os.getpid()) - before
            assert not os.listdir(tmp_path)
        assert descendants(os.getpid()) <= before
    assert len(os.listdir("/proc/self/fd")) == files


@pytest.mark.parametrize("unsafe", [False, True])
def test_the_sandbox_ends_with_the_grader(unsafe: bool, tmp_path: Path) -> None:
    code = f"""
        from dpteach.grading.sandbox.sandbox import Sandbox
        with Sandbox(unsafe={unsafe}) as made:
            made.execute("import ctypes; ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)")
            print("ready", flush=True)
            made.execute("import time\\ntry: time.sleep(500)\\nfinally: time.sleep(500)", 600)
    """
    grader = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        # if `unsafe` is True, the killed grader leaves the kernel's home folder in `tmp_path`
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    with grader:
        assert grader.stdout is not None
        assert grader.stdout.readline() == "ready\n"
        processes = descendants(grader.pid)
        assert processes
        grader.kill()
        grader.wait(30)
    end = time.monotonic() + 20
    while any(map(alive, processes)) and time.monotonic() < end:
        time.sleep(0.02)
    assert not [pid for pid in processes if alive(pid)]
    assert unsafe or not os.listdir(tmp_path)


def test_the_key_that_ends_the_grader_does_not_end_the_kernel() -> None:
    code = """
        import os, signal
        from dpteach.grading.sandbox.sandbox import Sandbox
        with Sandbox() as made:
            try:
                # as a terminal does it, to all processes of its foreground
                os.killpg(0, signal.SIGINT)
                made.execute("import time; time.sleep(60)", 60)
            except KeyboardInterrupt:
                print(made.execute("print('alive')", 10).outputs[0]["text"])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        start_new_session=True,
        timeout=100,
    )
    assert done.stdout.strip() == "alive", done.stderr


# --- hostile replies of a kernel

#: code for the sandbox: `send` sends the grader a forged message of any kind, for any request
_FORGE = """
import json, os, socket, struct, threading, time
line = next(o for o in __import__("gc").get_objects() if type(o).__name__ == "_Line")
def send(kind, content, number=None, size=None):
    content = content if isinstance(content, bytes) else json.dumps(content).encode()
    number = line._number if number is None else number
    size = len(content) if size is None else size
    os.write(3, struct.pack(">cII", kind, number, size) + content)
"""


@pytest.mark.parametrize(
    "code",
    [
        "send(b'o', b'[' * 100_000)",
        "send(b'o', b'\\xff\\xfe')",
        "send(b'o', b'')",
        "send(b'o', [1, 2])",
        "send(b'o', {'output_type': 'stream', 'name': 'stdout', 'text': 3})",
        "send(b'o', {})",
        "send(b'o', None)",
        "send(b'o', {'output_type': ['stream']})",
        "send(b'o', {'output_type': 'stream', 'name': 'stdout', 'text': 'no'}, line._number - 1)",
        "send(b'o', {'output_type': 'stream', 'name': 'stdout', 'text': 'no'}, 2**32 - 1)",
        "send(b'a', b'ok', 0)",
        "send(b'a', b'error', line._number + 1)",
        "send(b'?', {}, 0)",
        "send(b'o', b'9' * 5000)",
        "send(b'o', b'[' + b'0,' * 5_000_000 + b'0]')",
    ],
)
def test_nonsense_is_passed_over(forger: Sandbox, code: str) -> None:
    run = forger.execute(code)
    assert run == Execution("ok", []), run
    assert text(forger.execute("print('still here')")) == "still here\n"


def test_an_answer_that_comes_too_early_is_of_no_use(forger: Sandbox) -> None:
    """A cell that forges an answer to the grader's request only ends this request early.

    Whatever the cell sends for the request after that is ignored.
    """
    assert forger.execute("send(b'a', b'ok'); print('later'); 1 / 0") == Execution("ok", [])
    assert text(forger.execute("print('next')")) == "next\n"
    assert forger.ask({"item": "a", "call": "nothing"}, 10) == {"known": "missing"}


@pytest.fixture(scope="module")
def forger() -> Iterator[Sandbox]:
    with Sandbox(Limits(wall_seconds=600, cpu_seconds=300)) as made:
        assert text(made.execute(_FORGE)) == ""
        yield made


@pytest.mark.parametrize(
    ("code", "reasons"),
    [
        ("os.write(3, b'garbage' * 100); time.sleep(99)", {"broken"}),
        ("send(b'o', b'', size=2**32 - 1); time.sleep(99)", {"output"}),
        ("send(b'a', b'', size=2**32 - 1); time.sleep(99)", {"broken"}),
        ("send(b'a', b'', size=9); time.sleep(99)", {"time"}),
        ("while True: send(b'o', b'')", {"output", "time"}),
        ("while True: send(b'a', b'', 0)", {"broken", "time"}),
        ("send(b'?', {'args': [], 'kwargs': {}}); time.sleep(99)", {"broken"}),
        ("os.close(3)\ntime.sleep(99)", {"broken"}),
        ("line._socket.shutdown(2)\ntime.sleep(99)", {"broken"}),
        ("line.tell(b'o', b'x' * (40 << 20)); time.sleep(99)", {"output"}),
        ("line.tell = lambda *a: None; time.sleep(0.1)", {"time"}),
        ("line.read = lambda: (b'c', b'')", {"time", "died"}),
    ],
)
def test_who_breaks_the_protocol_is_ended(code: str, reasons: set[str]) -> None:
    with Sandbox() as made:
        assert text(made.execute(_FORGE)) == ""
        held = memory()
        with pytest.raises(KernelGoneError) as caught:
            made.execute(code, 3)
            made.execute("1", 3)
        assert caught.value.reason in reasons
        assert memory(peak=True) - held < 200 << 20


@pytest.mark.parametrize(
    "answer",
    [
        "'no json'",
        "None",
        "{}",
        "'[' * 100_000",
        "'\"' + chr(0xd800)",
        "'0,' * 10**7",
        "1 / 0",
        "exit()",
    ],
)
def test_answers_that_are_none_are_broken(answer: str) -> None:
    with Sandbox() as made:
        made.execute(
            f"import sys\nsys.modules['dpteach.grading.core.observe'].answer = lambda *_: {answer}"
        )
        with pytest.raises(KernelGoneError) as caught:
            made.ask({"item": "a", "call": "b"}, 10)
        assert caught.value.reason == "broken"


def test_half_characters_do_not_come_out(kernel: Sandbox) -> None:
    run = kernel.execute(
        "from IPython.display import display\nprint('a\\ud800b')\n"
        "display({'text/plain': '\\udfff'}, raw=True)"
    )
    json.dumps(run.outputs, ensure_ascii=False).encode()
    kernel.execute(
        "import sys\nobserver = sys.modules['dpteach.grading.core.observe']\n"
        "kept = observer.answer\n"
        'observer.answer = lambda *_: \'{"a\\\\ud800": ["\\\\udc00"]}\''
    )
    told = kernel.ask({}, 10)
    kernel.execute("observer.answer = kept")
    json.dumps(told, ensure_ascii=False).encode()
    assert told == {"a?": ["?"]}


class Fake:
    """A stand-in for a sandboxed process that has already sent all its messages, `said`."""

    def __init__(self, said: bytes, *, piece: int = 1 << 20, dead: bool = False) -> None:
        self._ours, self.theirs = socket.socketpair()
        self._end, self._ends = os.pipe()
        self.handle = self._end
        self.theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 21)
        for i in range(0, len(said), piece):
            self.theirs.sendall(said[i : i + piece])
        if dead:
            os.write(self._ends, b"x")
            self.theirs.close()

    def fork(self) -> socket.socket:
        return self._ours

    def files(self) -> int:
        return 0

    def used_its_time(self) -> bool:
        return False

    def end(self) -> None:
        self.theirs.close()
        os.close(self._end)
        os.close(self._ends)


def asked(said: bytes, reply: Any = None, **limits: Any) -> tuple[bytes, list[Any], bytes]:
    """Send a request to a fake process, which replies with the bytes `said`.

    Return the answer and the outputs that are read from `said`, and the bytes that were sent.
    """
    fake, seen = Fake(said), []
    made: Any = fake
    whole = Clock(1000, lambda: 0.0)
    with Process(made, Limits(message_bytes=1000, **limits), whole) as process:
        clock = Clock(0.2, lambda: 0.0)
        answer = process.ask(CELL, b"source", clock, output=lambda *x: seen.append(x), reply=reply)
        return answer, seen, fake.theirs.recv(9999)


def broken(said: bytes, **limits: Any) -> str:
    with pytest.raises(KernelGoneError) as caught:
        asked(said, **limits)
    return caught.value.reason


DONE = framed(ANSWER, 1, b"ok")


def test_what_belongs_to_a_request() -> None:
    outputs = framed(OUTPUT, 0, b'{"a": 0}') + framed(OUTPUT, 1, b'{"a": 1}')
    nonsense = framed(OUTPUT, 1, b"[1]") + framed(OUTPUT, 1, b"{") + framed(ANSWER, 0, b"before")
    answer, seen, told = asked(outputs + nonsense + DONE + framed(OUTPUT, 1, b'{"a": 2}'))
    assert (answer, seen, told) == (b"ok", [({"a": 1}, 17)], framed(CELL, 1, b"source"))


def test_what_is_requested_is_answered() -> None:
    said = framed(REQUEST, 1, b"3") + framed(REQUEST, 0, b"4") + framed(REQUEST, 1, b"{") + DONE
    told = asked(said, lambda data: [data])[2]
    assert told == framed(CELL, 1, b"source") + framed(REPLY, 1, b"[3]") + framed(
        REPLY, 1, b"[null]"
    )
    assert broken(said) == "broken"


def test_a_frame_may_arrive_in_any_pieces_and_be_as_large_as_told() -> None:
    for kind, size, reason in (
        (OUTPUT, 1000, ""),
        (OUTPUT, 1001, "output"),
        (ANSWER, 1000, ""),
        (ANSWER, 1001, "broken"),
    ):
        # of a message that is too large, send only the header: the message must be refused before
        # its content arrives
        said = framed(kind, 0, bytes(size))[: 5000 if not reason else 9] + DONE
        if reason:
            assert broken(said) == reason
            continue
        for piece in (1, 7, 5000):
            made: Any = Fake(said, piece=piece)
            with Process(made, Limits(message_bytes=1000), Clock(9, lambda: 0.0)) as process:
                assert process.ask(CELL, b"", Clock(9, lambda: 0.0)) == b"ok"


def test_who_says_too_much_is_ended() -> None:
    """A process that sends too many bytes is ended, be they outputs or other messages."""
    many = 10 * framed(OUTPUT, 0, bytes(91))
    assert asked(many + DONE, flood_bytes=1000)[0] == b"ok"
    assert broken(many + DONE, flood_bytes=999) == "output"
    assert asked(19 * framed(ANSWER, 0, bytes(91)) + DONE)[0] == b"ok"
    assert broken(20 * framed(ANSWER, 0, bytes(91)) + DONE) == "broken"


def test_who_says_otherwise_or_nothing_is_ended() -> None:
    assert broken(b"x" + DONE) == broken(framed(CELL, 1, b"")) == "broken"
    assert broken(b"") == broken(DONE[:-1]) == "time"
    for dead, reason in ((True, "died"), (False, "broken")):
        made: Any = Fake(b"", dead=dead)
        if not dead:
            made.theirs.shutdown(socket.SHUT_RDWR)
        with (
            Process(made, Limits(), Clock(9, lambda: 0.0)) as process,
            pytest.raises(KernelGoneError, match=reason),
        ):
            process.ask(CELL, b"", Clock(9, lambda: 0.0))


def outputs(*said: tuple[dict[str, Any], int], room: int = 1000) -> Any:
    made = sandbox._Outputs(room)
    for one in said:
        made.take(*one)
    return made


def printed(text: object, name: object = "stdout") -> tuple[dict[str, Any], int]:
    return {"output_type": "stream", "name": name, "text": text}, len(str(text))


ERROR = {"output_type": "error", "ename": "E", "evalue": "v" * 500, "traceback": ["t" * 500]}


def test_outputs_are_kept_as_far_as_there_is_room() -> None:
    made = outputs(printed("a" * 600), printed("b" * 400))
    assert [one["text"] for one in made.items] == ["a" * 600 + "b" * 400]
    assert (made.bytes, made.truncated) == (1000, False)
    made = outputs(printed("a" * 600), printed("b" * 401), printed("c"))
    assert [one["text"] for one in made.items] == ["a" * 600 + "b" * 400]
    assert (made.bytes, made.truncated) == (1000, True)
    made = outputs(printed("a"), printed("b", "stderr"), printed("c", "stderr"), printed("d"))
    assert [one["text"] for one in made.items] == ["a", "bc", "d"]
    # outputs that the cell clears later use up room, too, because the kernel has sent them
    made = outputs(printed("a" * 600), ({"output_type": "clear_output"}, 9), printed("b" * 600))
    assert [one["text"] for one in made.items] == ["b" * 400] and made.bytes == 1000
    data = {"output_type": "display_data", "data": {"text/plain": "x" * 500}}
    made = outputs(printed("a" * 600), (data, 500), printed("b"))
    assert [one.get("text") for one in made.items] == ["a" * 600 + "b"] and made.truncated
    (kept,) = outputs(({**ERROR}, 1000)).items
    assert kept == ERROR
    made = outputs(({**ERROR}, 1001), printed("more"))
    (kept,) = made.items
    assert kept == {"output_type": "error", "ename": "E", "evalue": "v" * 200, "traceback": []}
    assert made.bytes == 1000 and made.truncated


def test_what_is_no_output() -> None:
    for output in ({}, {"output_type": ["stream"]}, {"output_type": "status"}, printed(b"x")[0]):
        assert outputs((output, 1)).items == []
    # any name of a stream is accepted here, because `harmless` checks the names later
    made = outputs(printed("a", ["b"]), printed("c", ["b"]), printed("d", None), ({**ERROR}, 1))
    assert [one.get("text") for one in made.items] == ["ac", "d", None]


def started(limits: Limits, ask: Callable[..., bytes]) -> Sandbox:
    """Return a sandbox without a process, for which the function `ask` answers all requests."""
    made: Any = Sandbox(limits)
    made._gone = ""
    made._jail = types.SimpleNamespace(delayed=lambda: 0.0)
    made._process = types.SimpleNamespace(ask=ask)
    return made  # type: ignore[no-any-return]


def test_room_for_outputs_is_that_of_all_cells() -> None:
    asked: list[Any] = []

    def answer(kind: bytes, body: bytes, clock: Clock, output: Any) -> bytes:
        asked.append((clock._seconds, output.__self__._room))
        output.__self__.bytes = 300
        return b"aborted"

    made = started(Limits(output_bytes=1000, cell_seconds=7), answer)
    assert made.execute("1").status == "error"
    made.execute("1", 3)
    made.execute("1", 0)
    assert asked == [(7, 1000), (3, 700), (0, 400)]


@pytest.mark.parametrize("answer", ["[1]", "null", "{", ""])
def test_answers_are_json(answer: str) -> None:
    made = started(Limits(), lambda kind, body, clock: answer.encode())
    if answer == "[1]":
        assert made.ask({"q": 1}, 5) == [1]
        return
    with pytest.raises(KernelGoneError, match="broken"):
        made.ask({}, 5)
    with pytest.raises(KernelGoneError, match="broken"):
        made.execute("1")


@pytest.mark.parametrize(
    ("code", "seconds", "used"),
    [
        (0, 99.0, False),
        (-11, 99.0, False),
        (-24, 0.0, True),
        (-9, 60.0, True),
        (-9, 59.9, False),
        (9, 99.0, False),
    ],
)
def test_whose_time_was_used_up(code: int, seconds: float, used: bool) -> None:
    """The processor time was used up if SIGXCPU ended the process, or SIGKILL after the limit."""
    jail = object.__new__(_jail.Jail)
    jail._code, jail._used, jail._cpu_seconds = code, seconds, 60
    assert jail.used_its_time() is used


@pytest.mark.parametrize(
    ("release", "counts"),
    [("5.13.19", False), ("5.14.0-1", True), ("6.1.0", True), ("4.18", False), ("x", False)],
)
def test_who_counts_processes(release: str, counts: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.release", lambda: release)
    assert _jail._counts_by_namespace() is counts


def test_the_reason_survives_the_way_from_a_worker() -> None:
    error = pickle.loads(pickle.dumps(KernelGoneError("time")))
    assert error.reason == "time" and str(error) == "the kernel is gone: time"


def test_json_of_strangers() -> None:
    assert json_value(b'{"a": [1, "x"]}') == {"a": [1, "x"]}
    for half in ('"\\ud800"', b'"\\uDC00"', '"\ud800"'):
        assert json_value(half) == "?"
    assert json_value('"\\u00e9 \\ud83d\\ude00 é"') == "é 😀 é"
    for nonsense in (b"", b"\xff", b"[" * 10**6, b"9" * 10**6, b"[" + b"[]," * 3_000_000 + b"0]"):
        assert json_value(nonsense) is None


# --- kernels, which are forked from the same process, do not affect one another


def _two(code: str) -> tuple[str, str]:
    """Return what a cell prints in each of two kernels that live at the same time."""
    with Sandbox() as one, Sandbox() as other:
        source = textwrap.dedent(code)
        return text(one.execute(source, 60)), text(other.execute(source, 60))


def _warm_of(made: Sandbox) -> Any:
    return made._jail._warm


def _inner(warm: Any) -> int:
    """Return the id of the process that forks kernels, the only child of bubblewrap's process."""
    pid = warm.process.pid
    (child,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(child)


def test_kernels_have_no_namespace_in_common(kernel: Sandbox) -> None:
    """Two kernels, the process that forks them, and the grader have no namespace in common."""
    names = ["cgroup", "ipc", "mnt", "net", "pid", "uts"]
    names += [] if _bubblewrap.is_root() else ["user"]
    with Sandbox() as other:
        own = [Path(made._jail._place).parent for made in (kernel, other)]
        places = [*own, Path("/proc/self"), Path(f"/proc/{_inner(_warm_of(kernel))}")]
        for name in names:
            assert len({os.readlink(place / "ns" / name) for place in places}) == 4, name


def test_kernels_draw_other_random_numbers() -> None:
    code = """
        import os, random, secrets, tempfile, uuid
        import numpy as np
        from scipy import stats
        print(random.random(), np.random.random(), np.random.mtrand._rand.random(),
              np.random.default_rng().random(), stats.norm.rvs(), secrets.token_hex(8),
              uuid.uuid4(), uuid.uuid1().clock_seq, tempfile.mktemp(), os.urandom(8).hex())
    """
    one, other = (said.split(" ") for said in _two(code))
    assert len(one) == 10
    assert [i for i, found in enumerate(one) if found == other[i]] == []


def test_kernels_share_no_memory_that_can_be_written() -> None:
    with Sandbox() as made:
        seen = text(made.execute("import scipy.stats\nprint(open('/proc/self/maps').read())"))
    modes = [line.split()[1] for line in seen.splitlines() if line]
    assert len(modes) > 50 and not [mode for mode in modes if mode[1] == "w" and mode[3] == "s"]


def test_kernels_hold_nothing_open_but_their_own() -> None:
    """A kernel has only /dev/null, its own sockets and the epoll queue of its event loop open."""
    code = """
        import os
        print({int(n): os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd")
               if os.path.lexists(f"/proc/self/fd/{n}")})
    """
    seen = [eval(said) for said in _two(code)]
    for open_ones in seen:
        assert [open_ones[n] for n in (0, 1, 2)] == ["/dev/null"] * 3
        kinds = {name.partition(":")[0] for n, name in open_ones.items() if n > 2}
        assert kinds == {"socket", "anon_inode"}, open_ones
    own = [{name for name in one.values() if name.startswith("socket:")} for one in seen]
    assert len(own[0]) >= 3 and not own[0] & own[1]


def test_what_one_kernel_does_no_later_one_feels() -> None:
    """Changes to modules, files, terminals and limits in one kernel do not reach other kernels."""
    harm = """
        import builtins, os, resource, sys
        import numpy as np
        np.exp, builtins.left = None, 1
        np.random.seed(7); np.seterr(all="ignore")
        sys.modules["dpteach.grading.core.observe"].answer = None
        sys.modules["scipy.stats"] = None
        os.environ["OMP_NUM_THREADS"] = "9"
        open("/tmp/left", "w").write("x"); os.makedirs("/tmp/made/deep"); os.umask(0)
        ends = os.openpty()
        resource.setrlimit(resource.RLIMIT_NOFILE, (99, 99))
        print(sorted(os.listdir("/dev/pts")))
    """
    look = """
        import builtins, os, resource
        import numpy as np
        from scipy import stats
        before = os.umask(0o22)
        print([sorted(os.listdir("/tmp")), os.listdir("/dev/pts"), float(np.exp(0)), before,
               np.geterr()["divide"], os.environ["OMP_NUM_THREADS"],
               hasattr(builtins, "left"), resource.getrlimit(resource.RLIMIT_NOFILE)])
    """
    with Sandbox() as one:
        first = eval(text(one.execute(textwrap.dedent(look), 60)))
    with Sandbox() as one:
        assert eval(text(one.execute(textwrap.dedent(harm), 60))) == ["0", "ptmx"]
        # this kernel starts after the changes in the kernel of `one`, which is still alive
        with Sandbox() as other:
            meanwhile = eval(text(other.execute(textwrap.dedent(look), 60)))
            told = other.ask({"item": "a", "call": "nothing"}, 10)
    assert told == {"known": "missing"}
    assert meanwhile == first
    assert first[1:] == [["ptmx"], 1.0, 0o22, "warn", "1", False, (256, 256)]
    assert not {"left", "made"} & set(first[0])


def test_the_warm_process_knows_nothing(kernel: Sandbox) -> None:
    """The process that forks kernels has one thread, few modules, and no data of the grader."""
    pid = _inner(_warm_of(kernel))
    assert len(os.listdir(f"/proc/{pid}/task")) == 1
    for name in ("environ", "cmdline"):
        seen = Path(f"/proc/{pid}/{name}").read_bytes()
        assert seen and str(ROOT).encode() not in seen and b"DPTEACH" not in seen
    code = "import sys\nprint(sorted(n for n in sys.modules if 'dp' in n and 'teach' in n))"
    core = ["dpteach.grading.core", "dpteach.grading.core.observe", "dpteach.grading.core.plain"]
    assert eval(text(kernel.execute(code))) == ["dpteach", "dpteach.grading", *core]
    # a kernel inherits the imported modules of the process from which it is forked
    for name in ("scipy.stats", "numpy", "ipykernel.zmqshell"):
        assert text(kernel.execute(f"print({name!r} in sys.modules)")) == "True\n"


def test_a_warm_process_that_is_gone_is_replaced() -> None:
    with Sandbox() as made:
        warm = _warm_of(made)
        warm.process.kill()
        with pytest.raises(KernelGoneError) as caught:
            made.execute("import time; time.sleep(60)", 60)
        assert caught.value.reason == "died"
    warm.process.wait()
    with Sandbox() as made:
        assert _warm_of(made) is not warm
        assert text(made.execute("print(1)")) == "1\n"


def test_a_thread_takes_its_warm_process_with_it() -> None:
    import threading

    found: list[Any] = []

    def work() -> None:
        with Sandbox() as made:
            found.append(_warm_of(made))
        assert alive(found[0].process.pid)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    with Sandbox() as made:
        assert _warm_of(made) is not found[0]
    assert found[0].process.poll() is not None


# --- machines where the sandbox does not work


def fake(folder: Path, script: str) -> Callable[[], None]:
    program = folder / "bwrap"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)

    def enter() -> None:
        with Sandbox():
            pytest.fail("there was no sandbox")

    return enter


def test_no_bubblewrap_is_said_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with (
        pytest.raises(SandboxMissingError, match=r"not installed.*apt-get.*sysctl.*--no-sandbox"),
        Sandbox(),
    ):
        pass


@pytest.mark.parametrize(
    "script",
    [
        "echo 'bwrap: No permissions to create new namespace, likely because...' >&2; exit 1",
        "echo 'bwrap: Unknown option --size' >&2; exit 1",
        "exec 0<&-; echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1",
    ],
)
def test_a_bubblewrap_that_fails_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    enter = fake(tmp_path, script)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(SandboxMissingError, match=r"bwrap: .*--no-sandbox"):
        enter()


def test_walls_that_cannot_be_made_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the process that forks kernels may not create namespaces, the error says so."""
    apart = _bubblewrap._apart

    def less(root: bool) -> list[str]:
        words = apart(root)
        if not root:
            return [*words, "--disable-userns"]
        at = words.index("CAP_SYS_ADMIN")
        return words[: at - 1] + words[at + 1 :]

    monkeypatch.setattr(_bubblewrap, "_apart", less)
    monkeypatch.setattr(_warm, "_kept", threading.local())
    with (
        pytest.raises(SandboxMissingError, match=r"\(walls: unshare: .*\)\..*--no-sandbox"),
        Sandbox(),
    ):
        pass


def test_a_proc_that_cannot_be_mounted_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If `/proc` cannot be mounted, as in some containers, the error says so."""
    inside = shutil.copytree(_warm._INSIDE, tmp_path / "inside")
    text = (inside / "walls.py").read_text()
    monkeypatch.setattr(_warm, "_INSIDE", inside)
    monkeypatch.setattr(_warm, "_kept", threading.local())
    text = text.replace('_mount("proc", "/proc", "proc"', '_mount("proc", "/proc", "no such"')
    (inside / "walls.py").write_text(text)
    with (
        pytest.raises(SandboxMissingError, match=r"walls: mount no such /proc.*unconfined"),
        Sandbox(),
    ):
        pass


def test_an_unknown_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(SandboxMissingError, match="riscv64"), Sandbox():
        pass


def test_without_sandbox_it_says_so_and_keeps_the_limits() -> None:
    with Sandbox(Limits(memory=1 << 30), unsafe=True) as made:
        assert made.execute("bytearray(2 << 30)").outputs[-1]["ename"] == "MemoryError"
        assert made.execute("import os; os.fork()").status == "error"
        assert made.execute("from dpteach.grading import check; check('a')").status == "ok"
        told = made.ask({"item": "a", "call": "nothing"}, 10)
        assert told == {"known": "missing"}
        home = text(made.execute("print(os.getcwd())")).strip()
        processes = descendants(os.getpid())
        with pytest.raises(KernelGoneError, match="time"):
            made.execute("while True: pass", 1)
    assert not Path(home).exists() and not any(map(alive, processes - descendants(os.getpid())))


def test_half_characters_make_no_cell_wait() -> None:
    with Sandbox() as box:
        # try five times, because the result may depend on the timing of threads
        for _ in range(5):
            start = time.monotonic()
            made = box.execute("print('a\\ud800b', flush=True)", 60)
            assert made.outputs == [{"output_type": "stream", "name": "stdout", "text": "a?b\n"}]
            assert time.monotonic() - start < 5


# --- the same tests as an ordinary user


#: parts of the names of tests that are repeated as an ordinary user, because their outcome may
#: depend on the user
AS_USER = """
    called_after changed_outside common dead doors_into endless environment grader in_sight
    key_that kernel_does kernel_gets knows_nothing left_of limited network no_rights process_can
    questions_are replaced session_ends share_no very_many_files walls_that_cannot
"""


@pytest.mark.slow
def test_all_of_it_holds_for_an_ordinary_user(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        return  # all tests above have run as an ordinary user already
    # make Python readable for the ordinary user: it may be installed in root's home folder
    prefix = Path(os.path.realpath(sys.base_prefix))
    shown = ["--dev-bind", "/", "/"]
    closed = next((p for p in reversed(prefix.parents) if not p.stat().st_mode & 0o005), None)
    if closed is not None:
        shown += ["--tmpfs", str(closed), "--ro-bind", str(prefix), str(prefix)]
        for path in (*reversed(prefix.parents), prefix):
            if path.is_relative_to(closed) and path != prefix:
                shown += ["--chmod", "0755", str(path)]
    user = tmp_path / "user"
    user.mkdir()
    os.chown(user, 65534, 65534)
    temporary = tempfile.gettempdir()
    program = shutil.which("bwrap")
    assert program is not None
    become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
    tests = ["-k", " or ".join(AS_USER.split()), "-m", "not slow", str(FILE)]
    run = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    shown += ["--bind", str(user), temporary, "--cap-add", "ALL", "--die-with-parent"]
    if ROOT.is_relative_to(temporary):
        (user / ROOT.relative_to(temporary)).mkdir(parents=True)
        shown += ["--ro-bind", str(ROOT), str(ROOT)]
    done = subprocess.run(
        [program, *shown, "--", *become, *run],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "HOME": "/nonexistent",
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
