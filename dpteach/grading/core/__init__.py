"""What all rooms speak of: plain data, exams, results, and words that do no harm.

`plain` is how values travel and how they are shown; `observe` calls a student's function and
writes down what came back (these two also stand in the sandbox); `exam` and `result` are what goes
to a worker and what comes back; `harmless` makes fit to be shown what a student wrote; `command` is
what the commands share.

Imports no other room.
"""
