"""Kinds of items: one subpackage for each, with its declaration and its judge.

`registry` lists the kinds, and `kind` says what a kind consists of. The kinds share these modules:
`declaration` has the base class of all declarations, `require` raises the errors of a bad one,
`failures` describes what is wrong with an answer, `comparing` tells whether a number is near enough
to another, `outcomes` turns any reply of the sandbox into harmless outcomes, and `implementations`
calls an author's functions on a student's arguments.

May import `core`, and the library.
"""
