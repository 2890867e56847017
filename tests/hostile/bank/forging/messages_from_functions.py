"""While the grader waits for the result of a function, the function itself sends forged outputs and
forged answers, which say that the case passed.

It deserves at most:
    every item: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports: the code of _forge.py, then this

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

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    send()
    return 99.0
