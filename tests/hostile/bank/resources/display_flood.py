"""A thread sends messages to IOPub without end, while functions are asked.

points:
    touching: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import threading
def flood():
    kernel = get_ipython().kernel
    parent = kernel.get_parent("shell")
    while True:
        kernel.session.send(kernel.iopub_socket, "stream", {"name": "stdout", "text": "x" * 1000}, parent=parent)
for _ in range(2):
    threading.Thread(target=flood, daemon=True).start()

# %% touching_point
def touching_point(sigma, order, delta):
    return 1.0
