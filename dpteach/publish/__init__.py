"""The files that a course publishes for students: a site, a zip file and a repository.

None of these three parts contains a solution. `command` is ``dpteach publish``. `site` builds the
book without the pages for instructors. `bundle` makes the zip file, the student bundle, from the
releases of the assignments, and students run the script `start` in it. `repository` writes the
students' public repository, makes links to its notebooks for an LMS, and uploads it with git.
`problem` defines the error that all of these modules raise. All of these modules need a clone of
the project's repository, so this package is not part of the wheel.
"""
