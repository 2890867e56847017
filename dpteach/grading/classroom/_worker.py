"""What a worker of this machine does first, by dask's ``preload``."""

from __future__ import annotations

import signal
from typing import Any


def dask_setup(worker: Any) -> None:
    """Leaves Ctrl-C, which a terminal sends to all, to the process that has started the workers.

    It is handled and not ignored: what is ignored stays so in every program that is started.
    """
    signal.signal(signal.SIGINT, lambda number, frame: None)
