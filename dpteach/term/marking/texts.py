"""The words of the marking page, which its script gets as data."""

from __future__ import annotations

from dpteach._language import catalog

_, _n = catalog("term")


def texts() -> dict[str, str]:
    """Return the texts of the page by name; what stands in braces is replaced by the script."""
    return _controls() | _states() | _sample() | _keys()


def _controls() -> dict[str, str]:
    return {
        "title": _("Mark by hand"),
        "assignment": _("Assignment"),
        "item": _("Question"),
        "itemOption": _(
            "{name} ({done} of {total} marked)", name="{name}", done="{done}", total="{total}"
        ),
        "who": _("Your name"),
        "whoHelp": _("The answers are dealt evenly among all who enter a name."),
        "start": _("Start marking"),
        "question": _("Question (q)"),
        "rubric": _("Rubric and model answer (r)"),
        "answer": _("Answer {number}", number="{number}"),
        "answerText": _("Text of the answer"),
        "scheme": _("Marking scheme"),
        "noScheme": _("This question has no marking scheme: type the points."),
        "line": _("Line {key}", key="{key}"),
        "points": _("Points, of {most}", most="{most}"),
        "comment": _("Comment for the student (c)"),
        "earlier": _("Earlier comments"),
        "save": _("Save and next (Enter)"),
        "previous": _("Previous (p)"),
        "next": _("Next (n)"),
        "take": _("Take answers of another pile (t)"),
        "all": _("All answers to this question"),
        "names": _("Show who wrote the answers"),
        "keysOn": _("Single keys work"),
        "help": _("Keys (?)"),
        "close": _("Close"),
    }


def _states() -> dict[str, str]:
    return {
        "mine": _("Your pile: {done} of {total}", done="{done}", total="{total}"),
        "everything": _("All: {done} of {total}", done="{done}", total="{total}"),
        "open": _("not marked"),
        "marked": _("marked"),
        "changed": _("changed since it was marked: please confirm or correct the mark"),
        "by": _("marked by {who}", who="{who}"),
        "byFormgrader": _("marked in the Formgrader"),
        "saved": _("Answer {number} is saved.", number="{number}"),
        "saving": _("Saving ..."),
        "undecided": _("Choose lines of the scheme or points first; 0 gives no points."),
        "wrongPoints": _("The points must be a number from 0 to {most}.", most="{most}"),
        "done": _("Your pile is marked. Take answers of another pile, or choose another question."),
        "nothing": _("Nothing to mark: no written answers were graded yet."),
        "taken": _("{count} more answers are in your pile.", count="{count}"),
        "noneTaken": _("No other pile has unmarked answers."),
        "failed": _(
            "The mark of answer {number} was not saved: {problem}",
            number="{number}",
            problem="{problem}",
        ),
        "again": _("Try again"),
        "conflict": _(
            "Somebody else changed the mark of answer {number}, so yours was not written.",
            number="{number}",
        ),
        "answerChanged": _(
            "The text of answer {number} changed, so your mark was not written.", number="{number}"
        ),
        "theirs": _("Theirs: {points} points. {comment}", points="{points}", comment="{comment}"),
        "yours": _("Yours: {points} points. {comment}", points="{points}", comment="{comment}"),
        "keep": _("Keep theirs"),
        "overwrite": _("Write mine"),
        "look": _("Show the answer"),
        "offline": _("JupyterLab does not answer: {problem}", problem="{problem}"),
        "unsaved": _("Some marks are not saved yet."),
    }


def _sample() -> dict[str, str]:
    return {
        "agreement": _("Agreement of two markers"),
        "noAgreement": _(
            "A tenth of the answers, and at least five, are marked by two people who do not see "
            "each other's marks. No answer has two marks yet."
        ),
        "count": _("Answers with two marks"),
        "difference": _("Mean of the first mark less the second"),
        "distance": _("Mean distance of the two marks"),
        "equal": _("Share of equal marks"),
        "kappa": _("Cohen's kappa, quadratic weights"),
        "undefined": _("undefined: all marks are equal"),
        "unsettled": _("Disagreements to settle"),
        "settle": _("Settle answer {number}", number="{number}"),
        "settling": _("Two people disagree. What you save now counts."),
        "oneOfTwo": _(
            "{who}: {points} points. {comment}", who="{who}", points="{points}", comment="{comment}"
        ),
        "formgrader": _("Formgrader"),
        "allSettled": _("Nothing to settle."),
    }


def _keys() -> dict[str, str]:
    """Return what each key does, under the name of the key."""
    return {
        "key 1 ... 9": _("mark a line of the scheme, again: its next alternative, then none"),
        "key a": _("all lines are met"),
        "key 0": _("no points"),
        "key Shift+1 ... 9": _("that many points, without the scheme; again: half a point more"),
        "key Enter": _("save, and show the next unmarked answer"),
        "key c": _("write a comment; Enter saves, Shift+Enter begins a new line, Esc ends"),
        "key ↓": _("in the comment: choose an earlier comment"),
        "key n, p": _("next and previous answer, without saving"),
        "key q, r": _("show or hide the question, the rubric and model answer"),
        "key t": _("take answers of another pile"),
    }
