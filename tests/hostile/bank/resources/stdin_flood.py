"""A thread asks for input without end and reads no reply, while functions are asked.

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
        try:
            kernel.session.send(kernel.stdin_socket, "input_request", {"prompt": "{}", "password": False},
                                parent=kernel.get_parent("shell"), ident=kernel._parent_ident["shell"])
        except Exception:
            pass
for _ in range(2):
    threading.Thread(target=flood, daemon=True).start()

# %% touching_point
def touching_point(sigma, order, delta):
    return 1.0
