"""The sandbox for everybody who starts kernels through Jupyter: nbclient, nbgrader, JupyterLab.

It is a kernel provisioner with the name ``dpteach-sandbox``. A kernelspec asks for it, as in a file
``kernels/python3/kernel.json`` of a folder of ``JUPYTER_PATH``::

    {
      "argv": ["python", "-m", "ipykernel_launcher", "-f", "{connection_file}"],
      "display_name": "Python 3 in a sandbox",
      "language": "python",
      "interrupt_mode": "message",
      "metadata": {
        "kernel_provisioner": {
          "provisioner_name": "dpteach-sandbox",
          "config": {"limits": {"cpu_seconds": 300}}
        }
      }
    }

``argv`` is not used. ``config`` may hold ``limits``, fields of `Limits` of
which the limits on time and output are for the client to keep, and ``"unsafe": true``.

The kernel is as confined as that of `Sandbox`. Its client is not: pyzmq
takes whatever a kernel sends. For code that wants to do harm, use `Sandbox`.
"""

from __future__ import annotations

import asyncio
import dataclasses
import shutil
import socket
import tempfile
from typing import Any

from jupyter_client.provisioning.provisioner_base import KernelProvisionerBase
from traitlets import Bool, Dict

from dpteach.grading.sandbox._jail import CHANNELS, Jail
from dpteach.grading.sandbox.limits import START_SECONDS, Limits

_Base: Any = KernelProvisionerBase


class SandboxProvisioner(_Base):  # type: ignore[misc]
    """Starts kernels in bubblewrap.

    Attributes
    ----------
    limits
        Fields of `Limits`.
    unsafe
        Without bubblewrap, as in `Sandbox`.
    """

    limits = Dict(help="fields of dpteach.grading.sandbox.limits.Limits").tag(config=True)
    unsafe = Bool(False, help="without bubblewrap").tag(config=True)

    jail: Jail | None = None
    folder: str | None = None

    @property
    def has_process(self) -> bool:
        """Whether a kernel has been started and not been waited for."""
        return self.jail is not None

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Gives the kernel's sockets their places, in a folder that nobody else can enter."""
        manager = self.parent
        place = None if len(tempfile.gettempdir()) < 80 else "/tmp"  # a socket's path is short
        self.folder = self.folder or tempfile.mkdtemp(prefix="dpteach-", dir=place)
        manager.transport, manager.ip = "ipc", f"{self.folder}/kernel"
        for port, name in enumerate(CHANNELS, start=1):
            setattr(manager, f"{name}_port", port)
        manager.write_connection_file()
        self.connection_info = manager.get_connection_info()
        kwargs.pop("transport_encryption", None)
        return dict(await super().pre_launch(cmd=list(self.kernel_spec.argv), **kwargs))

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> dict[str, Any]:
        """Starts a kernel.

        Raises
        ------
        SandboxMissingError
            If bubblewrap is missing or does not work.
        ValueError
            If `limits` has a field that `Limits` has not.
        """
        known = [field.name for field in dataclasses.fields(Limits)]
        if not set(self.limits) <= set(known):
            raise ValueError(f"limits must be of {', '.join(known)}, got limits={self.limits}")
        listeners: dict[str, socket.socket] = {}
        try:
            for port, name in enumerate(CHANNELS, start=1):
                listeners[name] = listener = socket.socket(socket.AF_UNIX)
                listener.bind(f"{self.folder}/kernel-{port}")
                listener.listen(16)
            key = self.connection_info["key"]
            self.jail = Jail(Limits(**self.limits), listeners, key=key, unsafe=self.unsafe)
        finally:
            for listener in listeners.values():
                listener.close()
        if not await asyncio.to_thread(self.jail.wait_ready, START_SECONDS):
            raise RuntimeError(f"the kernel does not start within {START_SECONDS} seconds")
        return dict(self.connection_info)

    async def poll(self) -> int | None:
        """None while the kernel runs."""
        return 0 if self.jail is None else self.jail.process.poll()

    async def wait(self) -> int | None:
        """Waits for the kernel's end."""
        if self.jail is None:
            return 0
        while (code := self.jail.process.poll()) is None:
            await asyncio.sleep(0.02)
        jail, self.jail = self.jail, None
        jail.kill()
        return code

    async def send_signal(self, signum: int) -> None:
        """Ends the kernel on a signal that ends processes; an interrupt is a message."""
        if signum != 0:
            await self.kill()

    async def kill(self, restart: bool = False) -> None:
        """Ends the kernel at once."""
        if self.jail is not None:
            await asyncio.to_thread(self.jail.end)

    async def terminate(self, restart: bool = False) -> None:
        """Ends the kernel at once."""
        await self.kill(restart)

    async def cleanup(self, restart: bool = False) -> None:
        """Takes what is left of the kernel away, and the folder of its sockets."""
        jail, self.jail = self.jail, None
        if jail is not None:
            jail.kill()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None
