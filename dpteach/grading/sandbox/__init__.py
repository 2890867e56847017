"""The sandbox: a process for a student's code, without access to the machine's files or network.

The process is also called the kernel. `limits` bounds its time and memory, and `sandbox` starts it,
executes cells in it and ends it. `_bubblewrap` lists the files that it can see, `_seccomp` the
system calls that it can make, `_jail` starts and ends it, and `_process` exchanges messages with
it. `inside` holds the program that runs in the sandbox, and the format of the messages.

A new process would spend most of its start on imports. Therefore each thread of the grader that
starts sandboxes keeps a warm process (`_warm`) in bubblewrap, which has imported the libraries but
runs no student's code. Each kernel is forked from the warm process (`inside.launcher`) and gets its
own namespaces and mounts, which the code calls walls (`inside.walls`).

`alone` starts a process for each question about a student's function, so that no earlier question
can influence the answer.

This subpackage may import `core`.
"""
