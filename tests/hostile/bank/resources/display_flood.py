"""Two threads send outputs to the grader without end while it waits for functions, to fill its
memory or keep it busy.

It deserves at most:
    touching: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports: the code of _forge.py, then this
import threading
def flood():
    first = present()
    while True:
        forge("stream", {"name": "stdout", "text": "x" * 1000}, first)
for _ in range(2):
    threading.Thread(target=flood, daemon=True).start()

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
