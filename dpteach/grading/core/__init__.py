"""The types and rules that all subpackages of the grader share.

`plain` encodes and shows values, and `observe` calls a student's function and records the outcome;
both also run in the sandbox. `specification` defines the JSON data of a check, `exam` all data that
a grading process needs, and `result` the data that it returns. `reasons` explains why an item
could not be judged, and `reading` links to the book. `opening` opens submitted files safely, and
`harmless` makes a student's text safe to show. `names` has the rules for ids, assignments and
paths, `scratch` makes temporary folders, `receipt` computes a fingerprint of a notebook, `versions`
describes personal versions of an assignment, and `command` has the arguments and errors that all
commands share.

This subpackage may import no other subpackage of the grader.
"""
