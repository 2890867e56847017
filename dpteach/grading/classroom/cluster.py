"""The workers of a dask cluster that is already running (``--scheduler``)."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import Iterator
from typing import Any

from dpteach._language import catalog
from dpteach.grading.classroom.workers import PATIENCE, Probe, Worker, WorkersError

_, _n = catalog("classroom")

#: a regular expression that matches the addresses that dask accepts. Other addresses are refused at
#: once, because dask would fail only after a minute, or hang
_ADDRESS = re.compile(r"((tcp|tls|ucx|wss?)://)?(\[[0-9A-Fa-f:.%]+\]|[^\s:/\[\]@]+):([0-9]{1,5})")


def check_address(address: str) -> None:
    """Raise an error for a text that cannot be the address of a dask scheduler.

    Parameters
    ----------
    address
        The address, such as ``"tcp://host:8786"``.

    Raises
    ------
    dpteach.grading.classroom.workers.WorkersError
        If the text cannot be an address; the message names the text and the allowed forms.

    Examples
    --------
    >>> check_address("tcp://127.0.0.1:8786")
    >>> check_address("[::1]:8786")
    """
    found = _ADDRESS.fullmatch(address)
    if found is None or not 1 <= int(found[4]) <= 65535:
        raise WorkersError(
            _(
                "the scheduler (--scheduler) must be HOST:PORT, tcp://HOST:PORT or tls://HOST:PORT "
                "with a port in 1..65535, got {address!r}",
                address=address,
            )
        )


class Cluster:
    """The workers of a dask scheduler; the function `cluster` makes the connection."""

    def __init__(self, client: Any, probe: Probe) -> None:
        self._client, self._probe = client, probe
        self._workers: dict[str, Worker] = {}
        self._asked = 0.0

    def workers(self) -> list[Worker]:
        """Return the present workers, by asking the scheduler at most once per second."""
        if time.monotonic() > self._asked + 1.0:
            known = self._client.scheduler_info(n_workers=-1).get("workers", {})
            here = {name: self._workers.get(name) or self._worker(name) for name in known}
            self._workers, self._asked = here, time.monotonic()
        return list(self._workers.values())

    def _worker(self, name: str) -> Worker:
        executor = self._client.get_executor(workers=[name], pure=False)
        return Worker(executor, executor.submit(self._probe), name)

    def end(self, worker: Worker) -> None:
        """End a worker; dask starts a new one if the worker has a process that restarts it."""
        if self._workers.pop(worker.name, None) is None:
            return
        try:
            self._client.restart_workers([worker.name], timeout=PATIENCE)
        except Exception:
            with contextlib.suppress(Exception):
                self._client.retire_workers([worker.name], close_workers=True, remove=True)


@contextlib.contextmanager
def cluster(address: str, probe: Probe) -> Iterator[Cluster]:
    """Connect to a dask scheduler for a ``with`` block, and yield its workers.

    The connection is encrypted if dask is configured so.

    Parameters
    ----------
    address
        The address of the scheduler, such as ``"tcp://host:8786"``.
    probe
        The function that runs first on each worker, and returns why the worker cannot grade, or "".

    Raises
    ------
    dpteach.grading.classroom.workers.WorkersError
        If no scheduler answers at the address, or it has no worker.
    """
    check_address(address)
    with _quiet():
        client = _connected(address)
        try:
            try:
                client.wait_for_workers(1, timeout=PATIENCE)
            except TimeoutError:
                raise WorkersError(
                    _("the scheduler at {address} has no worker", address=address)
                ) from None
            yield Cluster(client, probe)
        finally:
            # closing fails if the scheduler is gone, which an earlier error has already reported
            with contextlib.suppress(OSError):
                client.close()


def _connected(address: str) -> Any:
    """Return a dask client that is connected to the scheduler at an address."""
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        raise WorkersError(
            _(
                "--scheduler needs {package}, which is not installed: pip install "
                "'dpteach[cluster]'",
                package=error.name,
            )
        ) from None
    try:
        asyncio.run(_identity(address))
        return Client(address, timeout=PATIENCE, set_as_default=False)
    # catch errors of any class, because the libraries that dask uses, such as that for encryption,
    # have their own classes
    except Exception as error:
        problem = (str(error) or type(error).__name__).splitlines()[0]
        raise WorkersError(
            _("no scheduler answers at {address}: {problem}", address=address, problem=problem)
        ) from None


async def _identity(address: str) -> Any:
    """Ask a server for its identity; raise an error if the server does not speak dask's protocol.

    Without this test, a dask client would wait forever for such a server.
    """
    from distributed import Security
    from distributed.core import rpc

    arguments = Security().get_connection_args("client")
    async with rpc(address, timeout=PATIENCE, connection_args=arguments) as asked:
        try:
            return await asyncio.wait_for(asked.identity(), 1.2 * PATIENCE)
        except TimeoutError as error:
            raise TimeoutError(str(error) or _("another kind of server answers")) from None


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Silence dask's messages about workers that join and leave, until the ``with`` block ends."""
    logger = logging.getLogger("distributed")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)
