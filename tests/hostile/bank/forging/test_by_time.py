"""A test asks the same twice and decides by the time of the second answer, because only answers of
right implementations may be cached.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% test_max_divergence from _spray
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
