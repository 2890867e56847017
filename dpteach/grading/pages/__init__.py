"""The HTML pages about graded submissions: feedback for a student, a report for the instructor.

`page` has the code that the pages share: templates, formats of numbers and texts, and histograms.
`feedback` makes the student's page, and `report` (``dpteach report``) the instructor's page, with
the statistics of `items` and the `similarity` of submissions. `formgrader` renders the texts of
the formgrader, nbgrader's page on which a person grades.

This subpackage may import `core`, `course` and `judging`.
"""
