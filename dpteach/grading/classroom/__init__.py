"""A class is graded: where all other rooms come together.

`session` grades one submission, `classroom` (``dpteach grade``) all of them, `cluster` many at
once; `publish` writes what came of it for people, `export` as a table; `plugin` is nbgrader's door.

Imports every other room.
"""
