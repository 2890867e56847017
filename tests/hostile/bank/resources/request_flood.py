"""Two threads send the grader requests without end and read no reply, to keep it busy or fill its
memory.

It deserves at most:
    touching: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports: the code of _forge.py, then this
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

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
