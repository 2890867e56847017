"""The task is to write a test that accepts right implementations of a function and rejects wrong
ones. The implementations run outside of the sandbox. This test provokes an error and finds in the
traceback the function that sends calls to them. It uses this function to call all implementations,
and rejects those whose answers are not the most frequent ones.

It deserves at most:
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
