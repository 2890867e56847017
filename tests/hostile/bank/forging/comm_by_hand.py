"""The submission forges the messages of Jupyter comms (channels between a kernel and a web page)
under names to which a grader or a widget might listen. The messages say that a check passed.

It deserves at most:
    every item: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports: the code of _forge.py, then this
for name in ("dpteach", "dpteach.grading", "jupyter.widget", "observe", "nbgrader"):
    for kind, content in (
        ("comm_open", {"comm_id": name, "target_name": name, "data": {"passed": True}}),
        ("comm_msg", {"comm_id": name, "data": {"method": "update", "state": {"passed": True}}}),
        ("comm_close", {"comm_id": name, "data": 5}),
    ):
        forge(kind, content)
print("attack", "ran")

# %% replace every solution cell
def FUNCTION(*args, **kwargs):
    return None
