"""Right: the likelihood ratio, and bits as floats in a tuple."""

# %% guess
def guess(answers):
    loss = sum(1 if answer else -1 for answer in answers)
    return loss > 0


# %% rebuild
def rebuild(counts):
    return tuple(float(counts[0] - counts[i + 1]) for i in range(8))
