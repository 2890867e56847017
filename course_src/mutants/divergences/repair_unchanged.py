"""Nothing is changed.

points:
    loss_repaired: 0
"""

# %% drawn_loss
def drawn_loss(p, q, rng):
    answers = range(len(p))
    drawn = rng.choice(answers, p=p)
    other = rng.choice(answers, p=q)
    loss = math.log(p[drawn]) - math.log(q[other])
    return round(1000 * loss)
