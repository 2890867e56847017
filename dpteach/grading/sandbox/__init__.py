"""Where a student's code runs: a process that computes, answers, and reaches nothing else.

`limits` says what it may use; `sandbox` starts it, executes cells in it and ends it. What it may
see of the system stands in `_bubblewrap`, what it may ask of the system in `_seccomp`, how it is
started and ended in `_jail`, and how the grader talks to it in `_process`. `inside` holds the
program that runs there, and the format of the messages.

Most of a start would be imports. So a thread that starts sandboxes has one process that has
imported what they need, in bubblewrap too (`_warm`): each sandbox is forked from it, behind walls
of its own (`inside.walls`), and it runs no student's code itself (`inside.launcher`).

`alone` asks processes that each answer one question and end, where nothing else may bear on it.

May import `core`.
"""
