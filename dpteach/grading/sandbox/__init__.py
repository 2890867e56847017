"""Where a student's code runs: a kernel that computes, answers, and reaches nothing else.

`limits` says what it may use; `sandbox` starts it, talks to it and ends it. What it may see of the
system stands in `_bubblewrap`, what it may ask of the system in `_seccomp`, how it is started and
ended in `_jail`, what is spoken in `_wire`. `inside` holds the program that becomes the kernel.

May import `core`.
"""
