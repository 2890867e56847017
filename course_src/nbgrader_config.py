"""The settings of nbgrader and dpteach for this course. The formgrader, the other extensions of
JupyterLab, and the commands of nbgrader and dpteach read them when they are started in this folder.
"""

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

# the exchange, through which assignments are released and submitted, is a folder of this course
c.Exchange.root = str(_root / ".exchange")
c.Exchange.path_includes_course = False
# the folder in which students work: *Fetch* and `make course` copy assignments into it, and
# *Submit* sends them from it
c.Exchange.assignment_dir = str(_root / "work")

# the language of messages, feedback pages and reports; dpteach/locale contains the translations.
# The texts of the assignments are not translated
c.Course.language = "en"

# how students submit their work. "file": they upload the file that `dpteach hand-in` makes.
# "exchange": they use *Submit* in a JupyterLab that can access nbgrader's exchange. Each notebook
# ends with the instructions for the chosen way
c.HandIn.by = "file"

# where students find the notebooks: the address and the branch of a public repository, whose
# content `dpteach publish` writes, and the address of a JupyterHub with nbgitpuller. If the
# repository is on GitHub, students can open its notebooks in Google Colab, where the first code
# cell installs `dpteach` from the repository. The cell contains the repository's address and
# branch, so build again after a change of these settings
c.Publish.repository = ""
c.Publish.branch = "main"
c.Publish.hub = ""

# whether assignments include their optional sections: False, True, or a list of the assignments
# that do. An assignment takes at most three hours without its optional sections, and three to five
# hours with them. Change this setting before the release, and build again
c.Assignments.optional = False

# whether each student gets a personal version: False, True, or a list of the assignments with
# personal versions. A personal version has its own hidden cases, and its own numbers if the
# assignment declares parameters. *Release* puts a token for each student into the exchange, and
# *Fetch* uses it to make the student's version. (If students use a settings file of their own,
# copy the line that sets `fetch_assignment` into it.) Without an exchange, `dpteach versions`
# writes the versions, and you distribute them
c.Versions.personal = False
c.ExchangeFactory.release_assignment = "dpteach.grading.author.releasing.PersonalRelease"
c.ExchangeFactory.fetch_assignment = "dpteach.grading.student.fetching.PersonalFetch"

# allow rubrics in locked cells that nbgrader does not regard as tasks. A rubric is removed from
# the released version and from the feedback, and restored for the person who grades
c.ClearMarkScheme.enforce_metadata = False

# do not let feedback fail if a student writes the marker of hidden tests into a cell
c.ClearHiddenTests.enforce_metadata = False

# the text that students replace by their answer to a manually graded question; if they leave it
# unchanged, it does not count as an answer
c.ClearSolutions.text_stub = "*Write your answer here.*"

# for how many days you keep backups. `dpteach forget` deletes a student's data, but not from
# backups; instead it lists the backups, and says in how many days you must remove each of them
c.Term.keep_backups_days = 365

# let `dpteach` grade when nbgrader is asked to grade a submission: students' code runs in a
# sandbox, and its results are judged outside of the sandbox. nbgrader itself neither executes nor
# repairs submissions. (The command `dpteach grade` does the same for several submissions at once)
c.Autograde.exporter_class = "dpteach.grading.classroom.doors.UnreadExporter"
c.Autograde.sanitize_preprocessors = []
c.Autograde.autograde_preprocessors = ["dpteach.grading.classroom.plugin.GradeSubmission"]

# never follow a symbolic link in a submission, and copy no submitted file except the graded
# notebook
c.ExchangeFactory.collect = "dpteach.grading.classroom.doors.PlainCollect"
c.ZipCollectApp.collector_plugin = "dpteach.grading.classroom.doors.PlainCollector"
guard()

# penalties for late submissions, for an assignment of about 25 points: 10% of the points for each
# day begun after the due date, at most 50%, and no penalty within the first hour. The due date is
# set in the formgrader, under Manage Assignments
c.AssignLatePenalties.plugin_class = "dpteach.grading.course.late.LatePolicy"
c.LatePolicy.points_per_day = 2.5
c.LatePolicy.grace_minutes = 60
c.LatePolicy.most_points = 12.5

# on the formgrader's pages, convert formulas to MathML, sanitize texts, and load nothing from
# other hosts
c.HTMLExporter.filters = {"markdown2html": "dpteach.grading.pages.formgrader.rendered"}
c.HTMLExporter.template_paths = template_paths()
c.HTMLExporter.preprocessors = ["dpteach.grading.pages.formgrader.EscapedNames"]

# write feedback as the HTML page of `dpteach`. Only for notebooks that `dpteach` did not grade,
# nbgrader uses its own page, with the preprocessors below
c.GenerateFeedback.exporter_class = "dpteach.grading.pages.feedback.FeedbackExporter"

# for nbgrader's own page: remove hidden cases and rubrics
c.GenerateFeedback.preprocessors = [
    GetGrades,
    ClearHiddenTests,
    ClearMarkScheme,
    CSSHTMLHeaderPreprocessor,
]
