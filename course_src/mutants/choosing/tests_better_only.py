"""A program must reach the better conversion: the table itself is rejected.

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
                assert 0 <= number <= table * (1 + 1e-7) + 1e-12
                if target != "approx" or source == "gauss":
                    assert number >= table * (1 - 1e-7) - 1e-9
                elif source != "pure":
                    mu = math.sqrt(2 * x / (order if source == "renyi" else 1))
                    assert number >= theorem("gauss", "approx", mu, order, delta) - 1e-7
    better = 1.0 + math.log(3 / 4) - (math.log(1e-6) + math.log(4)) / 3
    assert program("renyi", "approx", 1.0, 4, 1e-6) <= better * (1 + 1e-7)
