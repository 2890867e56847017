"""The kernel's sockets and its context are closed with zmq's own calls.

points:
    touching: full
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
kernel = get_ipython().kernel
for name in ("shell_socket", "stdin_socket", "control_socket", "iopub_socket"):
    try:
        getattr(kernel, name).close()
    except Exception:
        pass
import zmq
zmq.Context.instance().destroy()
