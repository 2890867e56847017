"""Bytes that are no message, with wrong signatures and wrong parts, on every socket there is.

points:
    every: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
kernel = get_ipython().kernel
for name in ("iopub_socket", "stdin_socket", "shell_socket", "control_socket"):
    socket = getattr(kernel, name, None)
    for parts in ([b"x"], [b"<IDS|MSG>"], [b"<IDS|MSG>", b"sig", b"{", b"{}", b"{}", b"{}"],
                  [b"<IDS|MSG>", b"", b"[]", b"7", b"null", b'"x"'], [b"\xff\xfe" * 100]):
        try:
            socket.send_multipart(parts)
        except Exception:
            pass
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return None
