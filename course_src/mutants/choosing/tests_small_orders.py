"""Coins and words of small orders only.

points:
    table_tested: 2.8
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
    for own in (0.5, 1.0, 2.0, 4.0):
        truth = 1 / (1 + math.exp(-own))
        for part in (0.25, 0.5, 0.75):
            delta = truth - math.exp(part * own) * (1 - truth)
            if 0 < delta <= 0.3:
                for order in (2, 20):
                    for source in ("pure", "zcdp", "renyi"):
                        x = own if source == "pure" else theorem("pure", source, own, order, delta)
                        assert program(source, "approx", x, order, delta) >= part * own - 1e-7
    for own in (0.01, 1.0, 8.0):
        assert program("pure", "approx", own, 2, 1e-30) >= own - 1e-7
    for a in (2, 5):
        for x in (0.3, 2.0):
            for delta in (1e-5, 1e-30):
                p = delta * a
                log_q = (a * math.log(p) - math.log(math.expm1((a - 1) * x))) / (a - 1)
                assert program("renyi", "approx", x, a, delta) >= math.log(p - delta) - log_q - 1e-7
