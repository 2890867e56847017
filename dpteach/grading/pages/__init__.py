"""What people read: the page for a student, the page for the instructor.

`page` draws; `feedback` is the student's page, `report` (``dpteach report``) the instructor's, with
the statistics of `items` and the `similarity` of submissions; `formgrader` renders the texts of
the page on which a person grades.

May import `core` and `course`.
"""
