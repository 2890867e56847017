"""One x, one order, one delta; exact arrows compared, others bounded above.

points:
    table_tested: 1.6
"""

# %% test_table
def test_table(program):
    for source, target in ARROWS:
        number = program(source, target, 0.5, 4, 1e-6)
        table = theorem(source, target, 0.5, 4, 1e-6)
        assert number <= table * (1 + 1e-7)
        if target != "approx" or source == "gauss":
            assert math.isclose(number, table, rel_tol=1e-6)
