"""Nothing is wrong: loops and dicts.
"""

# %% sum_by_hand
def sum_by_hand():
    # 1.609: 1.5 below, 2 above. 125 + 75 of 216 beyond 0.8
    return [0.627, 0.761, 0.859]

# %% delta_between
def delta_between(losses, masses, mesh, k, epsilon):
    answer = []
    for up in (False, True):
        law, told = {0: 1.0}, 0.0
        single = {}
        for loss, mass in zip(losses, masses):
            if math.isinf(loss):
                told += mass
                continue
            at = math.ceil(loss / mesh) if up else math.floor(loss / mesh)
            single[at] = single.get(at, 0.0) + mass
        for _ in range(k):
            after = {}
            for s, m in law.items():
                for t, n in single.items():
                    after[s + t] = after.get(s + t, 0.0) + m * n
            law = after
        # 1 - (1 - told)^k as a sum: nothing is taken off 1
        total = sum(told * (1 - told) ** i for i in range(k))
        for s, m in law.items():
            if s * mesh > epsilon:
                total += m * (1 - math.exp(epsilon - s * mesh))
        answer.append(total)
    return answer

# %% sampled_divergence
def sampled_divergence(rate, sigma, order):
    if rate in (0, 1):
        return rate * order / (2 * sigma**2)
    logs = []
    for j in range(order + 1):
        ways = math.lgamma(order + 1) - math.lgamma(j + 1) - math.lgamma(order - j + 1)
        logs.append(ways + j * math.log(rate) + (order - j) * math.log(1 - rate)
                    + j * (j - 1) / 2 / sigma**2)
    most = max(logs)
    return (most + math.log(math.fsum(math.exp(x - most) for x in logs))) / (order - 1)

# %% year_at_desk
def year_at_desk(requests, which, budget, orders, delta):
    answered, printed = [], []
    for claim in requests:
        used = sum(one[which] for one in answered)
        yes = not used + claim[which] > budget
        if yes:
            answered.append(claim)
        best = math.inf
        for i in range(len(orders)):
            line = sum(one[i] for one in answered)
            line += (math.log(len(orders)) - math.log(delta)) / (orders[i] - 1)
            best = min(best, line)
        printed.append((yes, best))
    return printed

# %% training_plan
def training_plan(largest_rate, steps, epsilon):
    # the losses of a fine grid of answers, each shared out between two
    # multiples of h so that its mean stays
    h, size = 0.002, 2**16
    middle = size // 2

    def delta_of(sigma):
        x = np.linspace(-9 * sigma, 1 + 9 * sigma, 20001)
        bell = np.exp(-(x**2) / (2 * sigma**2))
        ratio = 1 + largest_rate * np.expm1((2 * x - 1) / (2 * sigma**2))
        mass = bell * ratio
        mass = mass / mass.sum()
        at = np.log(ratio) / h
        below = np.floor(at).astype(int)
        law = np.zeros(size)
        np.add.at(law, below % size, mass * (below + 1 - at))
        np.add.at(law, (below + 1) % size, mass * (at - below))
        total = np.roll(np.fft.irfft(np.fft.rfft(law) ** steps), middle)
        t = h * (np.arange(size) - middle)
        return total @ np.maximum(0, -np.expm1(np.minimum(0, epsilon - t)))

    low, high = 1.0, 20.0
    for _ in range(14):
        middle_sigma = (low * high) ** 0.5
        if delta_of(middle_sigma) < 1e-5:
            high = middle_sigma
        else:
            low = middle_sigma
    return {"mechanism": "DP-SGD", "rate": largest_rate, "sigma": 1.004 * high}

# %% witness
def witness(name):
    return {
        "told_who": [[1, 0], [0, 0], [23]],
        "one_draw": [[1, 1], [0, 1], [22]],
        "price_by_table": [[1, 1], [1, 0], [22, 23]],
        "size_of_sample": [[0, 1], [0, 0], [21]],
    }.get(name)
