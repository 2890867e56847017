"""The grading of a class, where all other rooms come together.

`session` grades one submission, `lending` says which of its items are asked again with the
instructor's functions for earlier items, and `shown` makes the graded notebook. `classroom`
(``dpteach grade``) grades all submissions; `workers` grades many at once, on this machine or on a
`cluster`, and `progress` shows how far the run is. `publish` writes the files that people read, and
`export` (``dpteach export``) a table. `plugin` lets nbgrader grade by the same function, `doors`
closes nbgrader's own ways into a submission, and `_upstream` lists what is used of nbgrader beside
its documented interface.

May import `core`, `kinds`, `judging`, `sandbox`, `submission`, `course`, `author` and `pages`.
"""
