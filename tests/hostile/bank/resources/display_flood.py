"""A thread sends outputs without end while functions are being called.

points:
    touching: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first from _forge
import threading
def flood():
    first = present()
    while True:
        forge("stream", {"name": "stdout", "text": "x" * 1000}, first)
for _ in range(2):
    threading.Thread(target=flood, daemon=True).start()

# %% touching_point
def touching_point(sigma, order, delta):
    return 1.0
