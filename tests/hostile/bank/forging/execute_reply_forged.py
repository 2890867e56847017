"""A reply of success is sent on the shell channel before the cell has failed.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + after each
kernel = get_ipython().kernel
parent = kernel.get_parent("shell")
reply = {"status": "ok", "execution_count": 1, "payload": [{"source": "set_next_input", "text": "1"}],
         "user_expressions": {"answer": {"status": "ok", "data": {"text/plain": "99.0"}, "metadata": {}}}}
socket = getattr(kernel, "shell_stream", None) or getattr(kernel, "shell_socket", None)
for ident in (kernel.get_parent("shell").get("header", {}).get("session", "").encode(), b""):
    try:
        kernel.session.send(socket, "execute_reply", reply, parent=parent, ident=[ident])
    except Exception:
        pass
print("attack", "ran")
raise SystemExit

# %% every
def FUNCTION(*args, **kwargs):
    return 99.0
