"""A preprocessor by which ``nbgrader autograde`` and the formgrader grade like ``dpteach grade``.

nbgrader's own preprocessors run students' code without a sandbox. To replace them,
``nbgrader_config.py`` has these lines::

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
    """A preprocessor that grades the submitted files and returns the graded notebook.

    It also writes the points and the late penalty into the gradebook.
    """

    sandbox = Bool(
        True, help="False: go on where bubblewrap is missing, with the instructor's rights."
    ).tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Grade the submission and return the graded notebook in place of the submitted one.

        Raises
        ------
        dpteach.grading.classroom.classroom.ClassroomError
            If the submission was refused or cannot be graded. nbgrader reports the error and
            continues with the next submission.
        """
        import nbformat

        from dpteach.grading.classroom.classroom import grade_one

        told = resources["nbgrader"]
        api = SimpleNamespace(coursedir=coursedir_of(self), config=self.config)
        with speaking(None if is_chosen() else course_language(self.config)):
            result = grade_one(api, told["assignment"], told["student"], unsafe=not self.sandbox)
        return nbformat.reads(result.notebook, as_version=4), resources
