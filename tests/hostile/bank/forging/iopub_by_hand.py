"""The submission sends results, errors and idle messages by itself, without the shell.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + after each from _forge
forge("execute_result", {"data": {"text/plain": "99.0"}, "metadata": {}, "execution_count": 1})
forge("stream", {"name": "stdout", "text": '{"outcomes": [{"value": 1.0}], "passed": true}\n'})
forge("status", {"execution_state": "idle"})
forge("display_data", {"data": {"application/json": {"passed": True}}, "metadata": {}, "transient": {}})
forge("update_display_data", {"data": {}, "metadata": 7, "transient": []})
forge("clear_output", {"wait": False})
forge("nonsense", {"text": 1})
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return 99.0
