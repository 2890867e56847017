"""What all rooms speak of: plain data, exams, results, and words that do no harm.

`plain` is how values travel and how they are shown; `observe` calls a student's function and
writes down what came back (these two also stand in the sandbox); `specification` is what a check is
as data, `exam` and `result` are what goes to a worker and what comes back; `reasons` says why
something could not be judged, `reading` where to read; `opening` opens what a student handed in,
`harmless` makes fit to be shown what a student wrote; `names` has the rules for ids, names of
assignments and paths; `scratch` is where temporary files lie; `receipt` tells whether a notebook is
as it was made, and `versions` what a student's own version of it is; `command` is what the commands
share.

May import no other room.
"""
