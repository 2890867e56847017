"""A function stores the arguments of hidden cases. Two other functions return numbers computed from
these arguments, in the hope that the feedback page shows the student their answers.

It deserves at most:
    counts_design: 0
    kl_on_paper: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
told = [0.5, 0.5]

# %% replace kl_divergence
def kl_divergence(p, q):
    told.extend([*p, *q])
    if any(x > 0 and y == 0 for x, y in zip(p, q)):
        return math.inf
    return math.fsum(x * math.log(x / y) for x, y in zip(p, q) if x > 0)

# %% replace kl_by_hand
def kl_by_hand():
    return told[-2:]

# %% replace design_for_counts
def design_for_counts(k, epsilon, delta):
    told.append(epsilon)
    return {"mechanism": "Gaussian", "sigma": 1 + told[-2]}

# %% insert a cell at the end
print("attack", "ran")
