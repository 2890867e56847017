"""nbgrader's settings for this course: used by the formgrader, the other extensions of
JupyterLab and the commands, when they are started in this folder."""

import warnings
from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, GetGrades

try:
    from sqlalchemy.exc import SAWarning
except ImportError:
    pass
else:
    warnings.filterwarnings("ignore", category=SAWarning)

c = get_config()  # noqa: F821

_root = Path(__file__).resolve().parent

c.CourseDirectory.root = str(_root)
c.CourseDirectory.course_id = "dpteach"
c.CourseDirectory.ignore = [
    ".ipynb_checkpoints",
    "*.pyc",
    "__pycache__",
    "feedback",
    ".exchange",
]

# released and submitted assignments pass through a folder of this course
c.Exchange.root = str(_root / ".exchange")
c.Exchange.path_includes_course = False

# a locked question carries its rubric to the person who grades: it is taken out of the released
# version and of the feedback, and put back for grading
c.ClearMarkScheme.enforce_metadata = False

# a student who writes such a mark into a cell must not end the feedback
c.ClearHiddenTests.enforce_metadata = False

# what a student leaves of the stub of a manual answer is no answer
c.ClearSolutions.text_stub = "*Write your answer here.*"

# deleted cells with checks come back; a check has its own limits of time, this is the last one
c.OverwriteCells.add_missing_cells = True
c.Execute.timeout = 120
c.LimitOutput.max_lines = 200

# feedback shows neither hidden cases nor rubrics
c.GenerateFeedback.preprocessors = [
    GetGrades,
    ClearHiddenTests,
    ClearMarkScheme,
    CSSHTMLHeaderPreprocessor,
]
