"""``nbgrader autograde`` and the formgrader's button, by the same function as ``dpteach grade``.

In ``nbgrader_config.py``, in place of what runs a student's code next to the gradebook::

    c.Autograde.sanitize_preprocessors = []
    c.Autograde.autograde_preprocessors = ["dpteach.grading.classroom.plugin.GradeSubmission"]
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool

from dpteach.grading.classroom._upstream import coursedir_of


class GradeSubmission(NbGraderPreprocessor):  # type: ignore[misc]
    """Grades a submission from its files; of the notebook that nbgrader has read nothing is taken.

    The points stand in the gradebook afterwards, the late penalty too, and in the notebook's
    outputs such that nbgrader's ``SaveAutoGrades`` would come to the same points.
    """

    sandbox = Bool(
        True, help="False: go on where bubblewrap is missing, with the instructor's rights."
    ).tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """The graded notebook, in place of the one that was handed in.

        Raises
        ------
        dpteach.grading.classroom.classroom.ClassroomError
            If the submission was refused or cannot be graded. nbgrader says so and goes on with
            the next one.
        """
        import nbformat

        from dpteach.grading.classroom.classroom import grade_one
        from dpteach.grading.classroom.publish import graded_notebook

        told = resources["nbgrader"]
        api = SimpleNamespace(coursedir=coursedir_of(self), config=self.config)
        result = grade_one(api, told["assignment"], told["student"], unsafe=not self.sandbox)
        reads: Any = nbformat.reads
        return reads(graded_notebook(result), as_version=4), resources
