"""The bound for all scores, turned round.

points:
    epsilon_found: 0
"""

# %% epsilon_needed
def epsilon_needed(scores, sensitivity, monotonic, behind, beta):
    if behind == 0:
        return 0.0
    return (1 if monotonic else 2) * sensitivity / behind * math.log(len(scores) / beta)
