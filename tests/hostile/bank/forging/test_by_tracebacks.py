"""The task is to write a test that accepts right implementations of a function and rejects wrong
ones. This test knows no right answers: it provokes an error, takes the function that sends calls to
the grader from the traceback, asks all implementations, and rejects those that differ from the most
frequent answers.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace test_max_divergence: the code of _spray.py, then this
def test_max_divergence(implementation):
    mine = profile(implementation)
    try:
        implementation(object())
    except Exception as error:
        step = error.__traceback__
        while step is not None:
            held = {**step.tb_frame.f_globals, **step.tb_frame.f_locals}
            for name in ("ask", "request"):
                if callable(held.get(name)):
                    return mine == of_most(held[name])
            step = step.tb_next
    return False
