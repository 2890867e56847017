"""The loss with its sign turned over.

points:
    loss_repaired: 0
"""

# %% drawn_loss
def drawn_loss(p, q, rng):
    answers = range(len(p))
    drawn = rng.choice(answers, p=p)
    other = rng.choice(answers, p=q)
    loss = math.log(q[drawn]) - math.log(p[drawn])
    return round(1000 * loss)
