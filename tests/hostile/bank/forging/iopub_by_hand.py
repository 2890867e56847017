"""Results, errors and idle messages written to IOPub with the kernel's own session.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + after each
kernel = get_ipython().kernel
parent = kernel.get_parent("shell") if hasattr(kernel, "get_parent") else kernel._parent_header
def send(kind, content):
    kernel.session.send(kernel.iopub_socket, kind, content, parent=parent, ident=kernel._topic(kind))
send("execute_result", {"data": {"text/plain": "99.0"}, "metadata": {}, "execution_count": 1})
send("stream", {"name": "stdout", "text": '{"outcomes": [{"value": 1.0}], "passed": true}\n'})
send("status", {"execution_state": "idle"})
send("display_data", {"data": {"application/json": {"passed": True}}, "metadata": {}, "transient": {}})
send("update_display_data", {"data": {}, "metadata": 7, "transient": []})
send("clear_output", {"wait": False})
send("nonsense", {"text": 1})
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return 99.0
