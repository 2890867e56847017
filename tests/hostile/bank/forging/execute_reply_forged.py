"""After each solution cell, a cell reports its own success and answers the grader's next question
in advance with 99.0, and then fails. The submission hopes that the grader believes the first
message that arrives.

It deserves at most:
    every item: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after every solution cell: the code of _forge.py, then this
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

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    return 99.0
