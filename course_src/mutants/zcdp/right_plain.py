"""Right: loops and recursion, without numpy and scipy where it goes."""

# %% rho_of_bill
def rho_of_bill(lines, people):
    if not lines:
        return 0.0
    (word, *numbers), *rest = lines
    price = 0.0
    if word == "normal":
        price = (numbers[0] / numbers[1]) ** 2 / 2
    elif word == "sampled":
        price = 0.5 / numbers[1] ** 2
    elif word == "Laplace":
        e = 1 / numbers[0]
        price = e - 1 + math.exp(-e)
    elif word == "pure":
        e = numbers[0]
        price = e * (math.exp(e) - 1) / (math.exp(e) + 1)
    return people * people * price + rho_of_bill(rest, people)

# %% is_there
def is_there(answers, others, lengths, parts):
    with_her = without = 0.0
    for y, c, s, part in zip(answers, others, lengths, parts):
        variance = s / (2 * part)
        with_her -= (y - c - s) ** 2 / (2 * variance)
        without -= (y - c) ** 2 / (2 * variance)
    return int(with_her > without)

# %% slope_above
def slope_above(p, q):
    best = 0.0
    for one, other in ((p, q), (q, p)):
        best = max(best, sum(x * math.log(x / y) for x, y in zip(one, other)))
        for i in range(-700, 1701):
            b = math.exp(i / 100)
            logs = [math.log(x) + b * (math.log(x) - math.log(y)) for x, y in zip(one, other)]
            top = max(logs)
            best = max(best, (top + math.log(sum(math.exp(z - top) for z in logs))) / b / (1 + b))
    return best * 1.0006
