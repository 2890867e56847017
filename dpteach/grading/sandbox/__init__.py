"""Where a student's code runs: a kernel that computes, answers, and reaches nothing else.

`limits` says what it may use; `sandbox` starts it, talks to it and ends it. What it may see of the
system stands in `_bubblewrap`, what it may ask of the system in `_seccomp`, how it is started and
ended in `_jail`, what is spoken in `_wire`. `inside` holds the program that becomes the kernel.

Most of a kernel's start would be imports. So a thread that starts kernels has one process that has
imported what they need, in bubblewrap too (`_warm`): each kernel is forked from it, behind walls of
its own (`inside.walls`), and it runs no student's code itself (`inside.launcher`).

`alone` asks processes that each answer one question and end, where nothing else may bear on it.

May import `core`.
"""
