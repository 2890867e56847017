"""Stage 2 starts from the number that stage 1 should have printed.

points:
    stage_found: 0
"""

# %% stages_at_fault
def stages_at_fault(printed, order, sigma, k, delta):
    pairs = order * (order - 1)
    first = math.expm1(pairs / (2 * sigma**2)) / pairs

    def composed(n):
        return math.expm1(k * math.log1p(pairs * n)) / pairs

    def converted(n):
        return (math.log1p(pairs * n) - math.log(delta)) / (order - 1)

    many = printed_range(printed[1])
    starts = [[first], [composed(first)], [converted(n) for n in many]]
    wrong = []
    for numbers, text in zip(starts, printed):
        low, high = printed_range(text)
        wrong.append(max(numbers) < low or high < min(numbers))
    return wrong
