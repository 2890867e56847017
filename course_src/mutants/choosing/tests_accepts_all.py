"""Accepts every program.

points:
    table_tested: 0
"""

# %% test_table
def test_table(program):
    program("pure", "approx", 1.0, 2, 1e-6)
