"""It accepts everything.

points:
    draw_tested: 0
"""

# %% test_named
def test_named(implementation):
    return None
