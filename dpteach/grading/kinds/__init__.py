"""Kinds of items: one subpackage each, with what an author declares and how it is judged.

`registry` lists the kinds, and `kind` says what a kind consists of. Shared by them: `declaration`
has what all declarations have, `require` the errors of a bad one, `failures` what is wrong with an
answer and in which words, `comparing` whether a number is near enough, `outcomes` makes harmless
what comes back from the sandbox, and `implementations` calls functions of the author's on arguments
of the student's.

May import `core`, and the library.
"""
