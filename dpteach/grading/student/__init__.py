"""What runs in the student's own notebook: ``check("name")``, and the same for a whole notebook.

`runner` is `check`; `reach` sees whether a function gets its answer from the library; `validate`
is ``dpteach validate``.

May import `core` and `judging`.
"""
