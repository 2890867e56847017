"""Malformed messages are sent on every socket of the kernel.

points:
    every: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first from _forge
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

# %% every
def FUNCTION(*args, **kwargs):
    return None
