"""The files that a course publishes for students: a site, a zip file and a repository.

None of these three parts contains a solution. `command` is ``dpteach publish``. `site` builds the
book without the pages for instructors. `bundle` makes the zip file, the student bundle: `releases`
lists the files of each assignment in it, `requirements` lists the packages to install, and students
run the script `start`. `repository` writes the students' public repository, `links` makes links to
its notebooks for an LMS, and `pushing` uploads it with git. All of these modules need a clone of
the project's repository, so this package is not part of the wheel.
"""
