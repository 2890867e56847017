"""A test searches the traceback of an error for the other implementations.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% test_max_divergence from _spray
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
