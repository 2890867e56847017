"""A mean of all answers.

points:
    smoker_guessed: 0
"""

# %% guess_smoker
def guess_smoker(answers, others, patients, epsilons):
    bits = [x - others for x in answers[0]] + [patients - others - y for y in answers[1]]
    return int(np.mean(bits) > 0.5)
