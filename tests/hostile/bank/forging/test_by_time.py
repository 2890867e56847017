"""The task is to write a test that accepts right implementations of a function and rejects wrong
ones. This test knows no right answers: it repeats each call and accepts an implementation if the
later calls are faster, in the hope that the grader caches the answers of right implementations
only.

It deserves at most:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace test_max_divergence: the code of _spray.py, then this
import time
def took(implementation, pair):
    start = time.perf_counter()
    try:
        implementation(*pair)
    except Exception:
        pass
    return time.perf_counter() - start
def test_max_divergence(implementation):
    ratios = []
    for k in range(60):
        pair = ([0.2 + k / 1000, 0.5, 0.3 - k / 1000], [0.5, 0.3 - k / 1000, 0.2 + k / 1000])
        first = took(implementation, pair)
        ratios.append(min(took(implementation, pair) for _ in range(3)) / first)
    profile(implementation)
    return sorted(ratios)[30] < 0.6
