"""The code that runs in a student's own notebook: ``check("name")``, and commands for students.

`runner` implements `check`, and `reach` detects whether a function gets its answer from the
library. `validate` is ``dpteach validate``, and `hand_in` makes the file to submit, which
`in_notebook` does from a cell. `mine` puts a student's personal numbers into a release, and
`fetching` does so when nbgrader fetches the release.

May import `core`, `kinds`, `judging` and `submission`.
"""
