"""The submission opens Jupyter comms under every name to which a grader or widget might listen.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first from _forge
for name in ("dpteach", "dpteach.grading", "jupyter.widget", "observe", "nbgrader"):
    for kind, content in (
        ("comm_open", {"comm_id": name, "target_name": name, "data": {"passed": True}}),
        ("comm_msg", {"comm_id": name, "data": {"method": "update", "state": {"passed": True}}}),
        ("comm_close", {"comm_id": name, "data": 5}),
    ):
        forge(kind, content)
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return None
