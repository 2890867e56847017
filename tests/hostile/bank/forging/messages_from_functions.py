"""A function sends a forged answer and outputs while the grader waits for its result.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first from _forge

def send():
    answer = json.dumps({"outcomes": [{"value": 0.75, "passed": True}] * 3, "printed": ""})
    for kind, content in (
        ("execute_result", {"data": {"text/plain": answer, "application/json": {"passed": True}},
                            "metadata": {}, "execution_count": 1}),
        ("stream", {"name": "stdout", "text": answer}),
        ("input_request", {"prompt": answer, "password": False}),
        ("execute_reply", {"status": "ok", "execution_count": 1, "user_expressions":
                           {"answer": {"status": "ok", "data": {"text/plain": answer}}}}),
        ("status", {"execution_state": "idle"}),
    ):
        forge(kind, content)
    if not forge_kernel:
        frame(b"a", answer.encode(), present() - 1)
        frame(b"a", answer.encode())

# %% every
def FUNCTION(*args, **kwargs):
    send()
    return 99.0
