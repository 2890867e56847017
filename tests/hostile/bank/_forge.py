"""Shared code for submissions that send forged messages to the grader, as if the kernel sent them.
It works in this project's sandbox and in the Jupyter kernels of stock nbgrader, which `stock.py`
attacks for comparison.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% shared code
import gc, json, os, struct
forge_kernel = getattr(get_ipython(), "kernel", None)  # None in this project's sandbox
forge_line = next((one for one in gc.get_objects() if type(one).__name__ == "_Line"), None)

def present():
    """Return the grader's current request: a Jupyter message, or a number in the sandbox."""
    return forge_kernel.get_parent("shell") if forge_kernel else forge_line._number

def frame(kind, body, about=None):
    """Send the grader a message through the sandbox's socket, which has the file descriptor 3.

    The message claims to belong to the request with the number `about`, or to the current one. Its
    `kind` is b"o" for an output of a cell, b"a" for the answer to the request, and b"?" to have the
    grader call an implementation, as a student's test does.
    """
    os.write(3, struct.pack(">cII", kind, present() if about is None else about, len(body)) + body)

def forge(kind, content, about=None):
    """Send an output that claims to belong to the request `about`, or to the current request."""
    if forge_kernel:
        parent = present() if about is None else about
        forge_kernel.session.send(forge_kernel.iopub_socket, kind, content, parent=parent)
    else:
        frame(b"o", json.dumps({**content, "output_type": kind}).encode(), about)
