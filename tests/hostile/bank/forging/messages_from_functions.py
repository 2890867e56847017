"""A function that answers its own question: replies and outputs sent while it is being called.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import json

def forge():
    kernel = get_ipython().kernel
    parent = kernel.get_parent("shell")
    answer = json.dumps({"outcomes": [{"value": 0.75, "passed": True}] * 3, "printed": ""})
    for stream in (kernel.iopub_socket, getattr(kernel, "stdin_socket", None)):
        for kind, content in (
            ("execute_result", {"data": {"text/plain": answer, "application/json": {"passed": True}},
                                "metadata": {}, "execution_count": 1}),
            ("stream", {"name": "stdout", "text": answer}),
            ("input_request", {"prompt": answer, "password": False}),
            ("execute_reply", {"status": "ok", "execution_count": 1, "user_expressions":
                               {"answer": {"status": "ok", "data": {"text/plain": answer}}}}),
            ("status", {"execution_state": "idle"}),
        ):
            if stream is not None:
                kernel.session.send(stream, kind, content, parent=parent)

# %% every
def FUNCTION(*args, **kwargs):
    forge()
    return 99.0
