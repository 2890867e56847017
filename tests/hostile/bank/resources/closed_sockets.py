"""A cell sends malformed bytes to the grader and closes the connection, which must not stop the
grading.

It deserves at most:
    touching: all points
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point: the code of _forge.py, then this
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
