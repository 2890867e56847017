"""What runs in the student's own notebook: ``check("name")``, and the same for a whole notebook.

`runner` is `check`; `reach` sees whether a function gets its answer from the library; `validate`
is ``dpteach validate``, `hand_in` makes the file to submit. `mine` puts a student's own numbers
into a release, `fetching` does so when nbgrader fetches it.

May import `core`, `kinds`, `judging` and `submission`.
"""
