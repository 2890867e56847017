"""A thread sends requests without end and reads no reply while functions are being called.

points:
    touching: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first from _forge
import threading
def flood():
    while True:
        try:
            if forge_kernel:
                forge_kernel.session.send(
                    forge_kernel.stdin_socket, "input_request", {"prompt": "{}", "password": False},
                    parent=present(), ident=forge_kernel._parent_ident["shell"])
            else:
                frame(b"?", b"{}", 0)
                frame(b"?", b'{"args": [], "kwargs": {}}')
        except Exception:
            pass
for _ in range(2):
    threading.Thread(target=flood, daemon=True).start()

# %% touching_point
def touching_point(sigma, order, delta):
    return 1.0
