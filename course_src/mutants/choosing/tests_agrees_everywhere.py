"""Better programs are rejected: it compares with the table on every arrow.

points:
    table_tested: 0
"""

# %% test_table
def test_table(program):
    for source, target in ARROWS:
        for x in (1e-4, 0.02, 1.0, 10.0):
            for order, delta in [(1.1, 1e-30), (2, 1e-12), (5, 1e-5), (20, 0.3)]:
                if target == "alpha" and (order - 1) * x > 50:
                    continue
                number = program(source, target, x, order, delta)
                table = theorem(source, target, x, order, delta)
                assert math.isclose(number, table, rel_tol=1e-6, abs_tol=1e-9)
