"""The function `forge`, for submissions that send forged frames, as if the sandboxed process
itself had sent them.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% shared
import gc, json, os, struct
forge_kernel = getattr(get_ipython(), "kernel", None)  # there is one where Jupyter's protocol is spoken
forge_line = next((one for one in gc.get_objects() if type(one).__name__ == "_Line"), None)

def present():
    """What the present request is known by."""
    return forge_kernel.get_parent("shell") if forge_kernel else forge_line._number

def frame(kind, body, about=None):
    """Writes a frame past everything: o is an output, a an answer, ? a request."""
    os.write(3, struct.pack(">cII", kind, present() if about is None else about, len(body)) + body)

def forge(kind, content, about=None):
    """Sends an output."""
    if forge_kernel:
        parent = present() if about is None else about
        forge_kernel.session.send(forge_kernel.iopub_socket, kind, content, parent=parent)
    else:
        frame(b"o", json.dumps({**content, "output_type": kind}).encode(), about)
