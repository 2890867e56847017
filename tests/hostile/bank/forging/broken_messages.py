"""The submission sends malformed messages to the grader, on every socket of a Jupyter kernel or on
the sandbox's socket, to make the grader fail.

It deserves at most:
    every item: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports: the code of _forge.py, then this
for name in ("iopub_socket", "stdin_socket", "shell_socket", "control_socket"):
    socket = getattr(forge_kernel, name, None)
    for parts in ([b"x"], [b"<IDS|MSG>"], [b"<IDS|MSG>", b"sig", b"{", b"{}", b"{}", b"{}"],
                  [b"<IDS|MSG>", b"", b"[]", b"7", b"null", b'"x"'], [b"\xff\xfe" * 100]):
        try:
            socket.send_multipart(parts)
        except Exception:
            pass
if not forge_kernel:
    for body in (b"", b"{", b"null", b"[]", b"7", b"\xff\xfe" * 100, b"[" * 100_000, b'{"output_type": []}',
                 b'{"output_type": "stream", "name": {}, "text": 7}', b'{"output_type": "error"}'):
        frame(b"o", body)
        for about in (0, 1, present() + 1, 2**32 - 1):
            for kind in (b"o", b"a", b"?"):
                frame(kind, body, about if about != present() else 0)
print("attack", "ran")

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    return None
