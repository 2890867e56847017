"""Right, with a statement left out.

points:
    loss_repaired: 0
"""

# %% drawn_loss
def drawn_loss(p, q, rng):
    answers = range(len(p))
    drawn = rng.choice(answers, p=p)
    loss = math.log(p[drawn]) - math.log(q[drawn])
    return round(1000 * loss)
