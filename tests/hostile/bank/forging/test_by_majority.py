"""A test requests the answers of all implementations by their numbers, and accepts the majority.

points:
    max_tested: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before test_max_divergence from _forge
ask = forge_line.request

# %% test_max_divergence from _spray
from collections import Counter
def test_max_divergence(implementation):
    mine = profile(implementation)
    counts = Counter(profile_by(ask, number) for number in range(13))
    return mine == counts.most_common(1)[0][0]
