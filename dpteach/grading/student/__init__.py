"""The code that runs in a student's own notebook: ``check("name")``, and commands for students.

`runner` implements `check`, and `reach` detects whether a function gets its answer from the
library. `validate` is ``dpteach validate``. `hand_in` (``dpteach hand-in``) makes the file to
submit, and `in_notebook` makes the same file from a cell of the notebook. `mine` (``dpteach mine``)
turns a released notebook into a student's personal version, in which the assignment's parameters
have values of the student's own, and `fetching` does the same when nbgrader fetches the release.
`files` reads, checks and replaces the files that all of these use.

This subpackage may import `core`, `kinds`, `judging` and `submission`.
"""
