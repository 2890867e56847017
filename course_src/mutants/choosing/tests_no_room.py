"""Right programs are rejected for the rounding of floats: the word desk's need without any room.

points:
    table_tested: 0
"""

# %% test_table
def test_table(program):
    for x in (0.3, 2.0, 10.0):
        for order in (2, 5, 20, 64):
            for delta in (1e-5, 1e-12, 1e-30):
                p = order * delta
                if p <= 1 - math.exp(-x):
                    log_q = (order * math.log(p) - math.log(math.expm1((order - 1) * x))) / (order - 1)
                    assert program("renyi", "approx", x, order, delta) >= math.log(p - delta) - log_q
