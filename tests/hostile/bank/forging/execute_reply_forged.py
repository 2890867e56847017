"""The submission sends a successful reply to a cell before the cell fails.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + after each from _forge
reply = {"status": "ok", "execution_count": 1, "payload": [{"source": "set_next_input", "text": "1"}],
         "user_expressions": {"answer": {"status": "ok", "data": {"text/plain": "99.0"}, "metadata": {}}}}
socket = getattr(forge_kernel, "shell_stream", None) or getattr(forge_kernel, "shell_socket", None)
for ident in (present().get("header", {}).get("session", "").encode(), b"") if forge_kernel else ():
    try:
        forge_kernel.session.send(socket, "execute_reply", reply, parent=present(), ident=[ident])
    except Exception:
        pass
print("attack", "ran", flush=True)
if not forge_kernel:
    frame(b"a", b"ok")
    frame(b"a", b'{"known": "function", "outcomes": [{"value": 99.0}], "printed": ""}', present() + 1)
raise SystemExit

# %% every
def FUNCTION(*args, **kwargs):
    return 99.0
