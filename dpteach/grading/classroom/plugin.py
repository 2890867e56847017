"""The grading of ``nbgrader autograde`` and the formgrader, as by ``dpteach grade``.

In ``nbgrader_config.py``, in place of the preprocessors that run students' code unprotected::

    c.Autograde.sanitize_preprocessors = []
    c.Autograde.autograde_preprocessors = ["dpteach.grading.classroom.plugin.GradeSubmission"]
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool

from dpteach._language import is_chosen, speaking
from dpteach.grading.classroom._upstream import coursedir_of
from dpteach.grading.course.folder import course_language


class GradeSubmission(NbGraderPreprocessor):  # type: ignore[misc]
    """A preprocessor that grades a submission from its files and replaces the notebook.

    It writes the points and the late penalty into the gradebook. From the outputs of the notebook,
    nbgrader's ``SaveAutoGrades`` computes the same points.
    """

    sandbox = Bool(
        True, help="False: go on where bubblewrap is missing, with the instructor's rights."
    ).tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Return the graded notebook, in place of the submitted one.

        Raises
        ------
        dpteach.grading.classroom.classroom.ClassroomError
            If the submission was refused or cannot be graded. nbgrader reports the error and goes
            on with the next submission.
        """
        import nbformat

        from dpteach.grading.classroom.classroom import grade_one
        from dpteach.grading.classroom.publish import graded_notebook

        told = resources["nbgrader"]
        api = SimpleNamespace(coursedir=coursedir_of(self), config=self.config)
        with speaking(None if is_chosen() else course_language(self.config)):
            result = grade_one(api, told["assignment"], told["student"], unsafe=not self.sandbox)
        reads: Any = nbformat.reads
        return reads(graded_notebook(result), as_version=4), resources
