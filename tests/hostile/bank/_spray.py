"""The function `profile`, for tests without knowledge: it returns an implementation's answers to
some calls.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% shared
PAIRS = (([0.75, 0.25], [0.5, 0.5]), ([0.3, 0.7], [0.7, 0.3]), ([0.5, 0.5, 0.0], [0.25, 0.5, 0.25]),
         ([0.5, 0.5], [1.0, 0.0]), ([0.0, 1.0], [0.0, 1.0]), ([0.9, 0.1], [1e-7, 1 - 1e-7]),
         ([0.2, 0.5, 0.3], [0.5, 0.3, 0.2]))

def profile(implementation):
    """Rounded answers, or the names of errors."""
    found = []
    for pair in PAIRS:
        try:
            found.append(repr(round(float(implementation(*pair)), 6)))
        except Exception as error:
            found.append(type(error).__name__)
    return " ".join(found)

def profile_by(ask, number):
    """The same of another implementation, if its number can be asked for."""
    from dpteach.grading.core.plain import decode
    def other(p, q):
        reply = ask({"suspect": number, "args": [p, q], "kwargs": {}})
        if "raises" in reply:
            raise getattr(__import__("builtins"), reply["raises"], Exception)
        return decode(reply["value"])
    return profile(other)

def of_most(ask):
    """What most implementations answer."""
    from collections import Counter
    found = [profile_by(ask, number) for number in range(13)]
    found = [one for one in found if one != " ".join(["KeyError"] * len(PAIRS))]
    return found[0] if len(found) < 3 else Counter(found).most_common(1)[0][0]
