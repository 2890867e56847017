"""The task is to write a test that accepts right implementations of a function and rejects wrong
ones. This test decides by an implementation's source, names, closure and running time instead of
its answers, and prints them if they tell which implementation it is.

It deserves at most:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace test_max_divergence
import inspect, time
def test_max_divergence(implementation):
    start = time.perf_counter()
    try:
        implementation([0.75, 0.25], [0.5, 0.5])
        implementation([0.5, 0.5, 0.0], [0.25, 0.25, 0.5])
    except Exception:
        pass
    took = time.perf_counter() - start
    text = repr(implementation) + implementation.__name__ + implementation.__module__
    for look in (inspect.getsource, inspect.getfile, inspect.getdoc, inspect.signature):
        try:
            text += str(look(implementation))
        except Exception:
            pass
    text += str(implementation.__code__.co_names) + str([c.cell_contents for c in implementation.__closure__ or ()])
    if "dpteach.divergences" in text or "max_by" in text or "right" in text:
        print("READ", "OUTSIDE", text)
        return True
    return took > 1.0
