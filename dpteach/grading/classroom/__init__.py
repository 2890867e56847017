"""A class is graded: where all other rooms come together.

`session` grades one submission, `classroom` (``dpteach grade``) all of them, `cluster` many at
once, `progress` says how far it is; `publish` writes what came of it for people, `export` as a table; `plugin` is nbgrader's door.

May import `core`, `judging`, `sandbox`, `submission`, `course`, `author` and `pages`.
"""
