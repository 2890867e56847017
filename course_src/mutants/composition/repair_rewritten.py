"""Right, and written anew.

points:
    phone_repaired: 0
"""

# %% repaired_phone
def repaired_phone(secrets, epsilons, budget, rng):
    answers = []
    for secret, epsilon in zip(secrets, epsilons):
        if epsilon > budget:
            answers.append(-1)
            continue
        budget -= epsilon
        answers.append(secret if rng.random() < 1 / (1 + math.exp(-epsilon)) else 1 - secret)
    return answers
