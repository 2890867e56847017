"""The types and rules that all subpackages of the grader share.

`plain` encodes and shows values, and `observe` calls a student's function and records the outcome;
both also run in the sandbox. `specification` describes a check as data, `exam` is sent to a worker,
and `result` is what the worker returns. `reasons` explains why something could not be judged, and
`reading` links to the book. `opening` opens submitted files safely, and `harmless` makes a
student's text safe to show. `names` has the rules for ids, assignments and paths, `scratch` makes
temporary folders, `receipt` tells whether a notebook was changed, `versions` describes personal
versions, and `command` has the arguments and errors that all commands share.

May import no other subpackage of the grader.
"""
