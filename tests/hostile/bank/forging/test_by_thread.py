"""A test stores answers with a thread and a socket that a cell started, and in the environment.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import os, queue, socket, threading
near, far = socket.socketpair()
near.settimeout(0.2)
def keeper():
    first = b""
    while True:
        said = far.recv(1000)
        first = first or said
        far.send(first)
threading.Thread(target=keeper, daemon=True).start()
# %% test_max_divergence from _spray
def test_max_divergence(implementation):
    mine = profile(implementation).encode()
    first = os.environ.setdefault("FIRST", mine.decode()).encode()
    try:
        near.send(mine)
        first = near.recv(1000)
    except OSError:
        pass
    return mine == first
