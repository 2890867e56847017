"""The submission sends malformed bytes on the socket to the grader and closes it.

points:
    touching: full
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point from _forge
for name in ("shell_socket", "stdin_socket", "control_socket", "iopub_socket"):
    try:
        getattr(forge_kernel, name).close()
    except Exception:
        pass
import zmq
zmq.Context.instance().destroy()
if not forge_kernel:
    forge_line._socket.sendall(b"\xff" * 10_000)
    forge_line._socket.shutdown(2)
