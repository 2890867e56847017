"""A class is graded: where all other rooms come together.

`session` grades one submission, `given` says which of its items are asked again with right earlier
ones; `classroom` (``dpteach grade``) grades all submissions, `workers` many at once, on this
machine or on a `cluster`, `progress` says how far it is; `publish` writes for people what came of
it, `export` (``dpteach export``) a table; `plugin` is nbgrader's own way in, `doors` closes its
others, and `_upstream` lists what is used of nbgrader's insides.

May import `core`, `kinds`, `judging`, `sandbox`, `submission`, `course`, `author` and `pages`.
"""
