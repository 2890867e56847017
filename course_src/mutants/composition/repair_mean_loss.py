"""The mean of the loss is charged.

points:
    phone_repaired: 0
"""

# %% repaired_phone
def repaired_phone(secrets, epsilons, budget, rng):
    spent = 0.0
    answers = []
    for secret, epsilon in zip(secrets, epsilons):
        truth = math.exp(epsilon) / (1 + math.exp(epsilon))
        answer = secret if rng.random() < truth else 1 - secret
        price = epsilon * (2 * truth - 1)
        if spent + price > budget:
            answer = -1
        else:
            spent = spent + price
        answers.append(answer)
    return answers
