"""Nothing is wrong: classes, recursions of terms.
"""

# %% year_at_desk
class Till:
    def __init__(self, place, budget):
        self.place, self.left = place, budget

    def asks(self, claim):
        if claim[self.place] > self.left:
            return False
        self.left -= claim[self.place]
        return True


class Line:
    def __init__(self, order, share):
        self.height = -math.log(share) / (order - 1)

    def rise(self, cost):
        self.height += cost


def year_at_desk(requests, which, budget, orders, delta):
    till = Till(which, budget)
    lines = [Line(order, delta / len(orders)) for order in orders]
    year = []
    for claim in requests:
        yes = till.asks(claim)
        for line, cost in zip(lines, claim):
            line.rise(cost if yes else 0.0)
        year.append([1 if yes else 0, min(line.height for line in lines)])
    return year

# %% sampled_divergence
def sampled_divergence(rate, sigma, order):
    # log E_Q (1 - r + r z)^order, term after term
    if rate == 0:
        return 0.0
    log, out = order * math.log1p(-rate) if rate < 1 else -math.inf, []
    if rate == 1:
        return order / 2 / sigma**2
    for j in range(order + 1):
        out.append(log)
        if j < order:
            log += math.log(order - j) - math.log(j + 1)
            log += math.log(rate) - math.log1p(-rate) + j / sigma**2
    return float(np.logaddexp.reduce(out)) / (order - 1)

# %% repaired_step
def repaired_step(weights, gradients, clip, sigma, batch, speed, rng):
    total = np.zeros(len(weights))
    for gradient in gradients:
        length = np.linalg.norm(gradient)
        total = total + np.array(gradient) / max(1, length / clip)
    spread = abs(clip) * float(sigma)
    total = total + rng.normal(0, spread, len(weights))
    mean = total * (1 / batch)
    return np.array(weights) - speed * mean
