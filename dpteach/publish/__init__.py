"""What a course gives to its students: a site and a bundle, both without solutions.

`command` is ``dpteach publish``. `bundle` makes the student bundle: `releases` says which files of
which assignments it holds, `requirements` which packages it installs, and `start` is the script
that students run in it. This package needs a clone of the repository, so no wheel has it.
"""
