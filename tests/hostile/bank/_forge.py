"""Code for submissions that send forged messages to the grader, in the name of their own process.

The functions work in both sandboxes: with a Jupyter kernel and without.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% shared
import gc, json, os, struct
forge_kernel = getattr(get_ipython(), "kernel", None)  # None unless a Jupyter kernel runs the code
forge_line = next((one for one in gc.get_objects() if type(one).__name__ == "_Line"), None)

def present():
    """Return what identifies the grader's present request."""
    return forge_kernel.get_parent("shell") if forge_kernel else forge_line._number

def frame(kind, body, about=None):
    """Write a message to the grader: `kind` is b"o" for an output, b"a" for an answer, b"?" for a
    request.
    """
    os.write(3, struct.pack(">cII", kind, present() if about is None else about, len(body)) + body)

def forge(kind, content, about=None):
    """Send a forged output, for the present request or for the request `about`."""
    if forge_kernel:
        parent = present() if about is None else about
        forge_kernel.session.send(forge_kernel.iopub_socket, kind, content, parent=parent)
    else:
        frame(b"o", json.dumps({**content, "output_type": kind}).encode(), about)
