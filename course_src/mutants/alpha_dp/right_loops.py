"""Right: loops and recursion, without numpy."""

# %% year_account
def year_account(order, lines):
    if not lines:
        return [0.0, 0.0]
    account, factor = 0.0, order * (order - 1)
    for word, x, k in lines:
        if word == "normal":
            one = factor / 2 / x / x
        elif word == "claim":
            one = math.log1p(factor * x)
        else:
            if word == "coin":
                high, low = x, 1 - x
                up = (order - 1) * (math.log(high) - math.log(low))
                down = up
            else:
                high, low = order / (2 * order - 1), (order - 1) / (2 * order - 1)
                up, down = (order - 1) / x, order / x
            if up < 0.5:
                one = math.log1p(high * math.expm1(up) + low * math.expm1(-down))
            else:
                one = up + math.log(high) + math.log1p(low / high * math.exp(-down - up))
        account += one * k
    if account < 600:
        return [account, math.expm1(account) / factor]
    size = account - math.log(factor)
    return [account, math.inf if size > 308 * math.log(10) else math.exp(size)]

# %% family_epsilon
def family_epsilon(claims, people, delta):
    def halve(order, size):
        return order if size <= 1 else halve(order / 2, (size + 1) // 2)

    found = [math.inf, 0]
    for order, number in claims:
        last = halve(order, people)
        if last > 1:
            kept = math.log(1 + order * (order - 1) * number)
            epsilon = (kept + math.log(1 / delta)) / (last - 1)
            if epsilon < found[0]:
                found = [epsilon, last]
    return found

# %% bound_through
def bound_through(p, q, thirds, order):
    def log_moment(a, b, power):
        logs = []
        for x, y in zip(a, b):
            if x == 0:
                continue
            if y == 0:
                return math.inf
            logs.append(math.log(x) + (power - 1) * (math.log(x) - math.log(y)))
        top = max(logs)
        return top + math.log(sum(math.exp(z - top) for z in logs))

    best = math.inf
    for r in thirds:
        half = (log_moment(p, r, 2 * order) + log_moment(r, q, 2 * order - 1)) / 2
        best = min(best, half / (order - 1))
    return best

# %% least_noise
def least_noise(k, epsilon, delta, most):
    level = -math.log(delta)
    if math.isinf(most):
        rho = (epsilon / (math.sqrt(level + epsilon) + math.sqrt(level))) ** 2
        return [math.sqrt(k / (2 * rho)), 1 + math.sqrt(level / rho)]
    best = [math.inf, 0]
    for order in range(2, most + 1):
        left = epsilon * (order - 1) - level
        if left > 0:
            best = min(best, [math.sqrt(k * order * (order - 1) / (2 * left)), order])
    return best

# %% repaired_counts
def repaired_counts(counts, epsilon, delta, rng):
    level = math.log(1 / delta)
    most, sigma = 0.0, math.inf
    for order in range(2, 41):
        log_account = (order - 1) * epsilon - level
        if log_account > 0:
            factor = order * (order - 1)
            number = (math.exp(log_account / len(counts)) - 1) / factor
            square = factor / (2 * math.log(1 + factor * number))
            if number > most:
                most = number
                sigma = min(sigma, math.sqrt(square))  # the least so far
    return [count + rng.normal(0.0, sigma) for count in counts]
