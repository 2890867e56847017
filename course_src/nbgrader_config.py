"""nbgrader's settings for this course: used by the formgrader, the other extensions of
JupyterLab and the commands, when they are started in this folder."""

import warnings
from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, GetGrades

from dpteach.grading.classroom.doors import guard
from dpteach.grading.pages.formgrader import template_paths

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
# what *Fetch* makes and *Submit* sends is what `make course` copies, and the student works in
c.Exchange.assignment_dir = str(_root / "work")

# the language of messages, feedback pages and reports. Translations lie in dpteach/locale; the
# texts of the assignments are in the language in which they were written
c.Course.language = "en"

# how students hand in, which the end of each notebook says: "file", the one that `dpteach hand-in`
# makes, or "exchange", *Submit* in a JupyterLab that sees the exchange
c.HandIn.by = "file"

# the students' public repository, for which `dpteach publish` writes the content, its branch, and
# the address of a JupyterHub with nbgitpuller. Google Colab opens notebooks from a repository on
# GitHub, and a cell of theirs installs the checks from there: build again after a change
c.Publish.repository = ""
c.Publish.branch = "main"
c.Publish.hub = ""

# optional sections: True, or a list of the assignments that include theirs. Without them an
# assignment takes three hours at most, with them three to five. Set it before the release, and
# build again
c.Assignments.optional = False

# personal versions: True, or a list of assignments. Each student then has hidden cases of their
# own, and numbers of their own where the assignment declares parameters. *Fetch* hands them out
# (settings that students have elsewhere need its line, too) by the tokens that *Release* puts into
# the exchange where each student has an account; `dpteach versions` writes all that goes by hand
c.Versions.personal = False
c.ExchangeFactory.release_assignment = "dpteach.grading.author.releasing.PersonalRelease"
c.ExchangeFactory.fetch_assignment = "dpteach.grading.student.fetching.PersonalFetch"

# a locked question carries its rubric to the person who grades: it is taken out of the released
# version and of the feedback, and put back for grading
c.ClearMarkScheme.enforce_metadata = False

# a student who writes such a mark into a cell must not end the feedback
c.ClearHiddenTests.enforce_metadata = False

# what a student leaves of the stub of a manual answer is no answer
c.ClearSolutions.text_stub = "*Write your answer here.*"

# backups that are older are listed for removal when a student must be forgotten
c.Term.keep_backups_days = 365

# a student's code runs in a sandbox and is judged outside of it, as `dpteach grade` does it for
# a whole class in parallel: nothing of a submission is executed, nor repaired, by nbgrader itself
c.Autograde.exporter_class = "dpteach.grading.classroom.doors.UnreadExporter"
c.Autograde.sanitize_preprocessors = []
c.Autograde.autograde_preprocessors = ["dpteach.grading.classroom.plugin.GradeSubmission"]

# no link of a submission is followed on any way, and no file but the graded notebook passed on
c.ExchangeFactory.collect = "dpteach.grading.classroom.doors.PlainCollect"
c.ZipCollectApp.collector_plugin = "dpteach.grading.classroom.doors.PlainCollector"
guard()

# a tenth of some 25 points for each day begun after the due date (formgrader, Manage Assignments)
# and an hour of grace, half of the points at most
c.AssignLatePenalties.plugin_class = "dpteach.grading.course.late.LatePolicy"
c.LatePolicy.points_per_day = 2.5
c.LatePolicy.grace_minutes = 60
c.LatePolicy.most_points = 12.5

# on the formgrader's pages formulas are MathML, texts are sanitized, and nothing is fetched from
# another host
c.HTMLExporter.filters = {"markdown2html": "dpteach.grading.pages.formgrader.rendered"}
c.HTMLExporter.template_paths = template_paths()
c.HTMLExporter.preprocessors = ["dpteach.grading.pages.formgrader.EscapedNames"]

# the page of the course. What stands below holds for notebooks that were graded otherwise
c.GenerateFeedback.exporter_class = "dpteach.grading.pages.feedback.FeedbackExporter"

# feedback shows neither hidden cases nor rubrics
c.GenerateFeedback.preprocessors = [
    GetGrades,
    ClearHiddenTests,
    ClearMarkScheme,
    CSSHTMLHeaderPreprocessor,
]
