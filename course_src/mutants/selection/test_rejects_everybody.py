"""It rejects all.

points:
    draw_tested: 0
"""

# %% test_named
def test_named(implementation):
    assert False
