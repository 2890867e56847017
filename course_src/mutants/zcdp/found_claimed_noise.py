"""The noise that should be.

points:
    patient_found: 1.0
"""

# %% is_there
def is_there(answers, others, lengths, parts):
    total = 0.0
    for answer, other, length, part in zip(answers, others, lengths, parts):
        variance = length**2 / (2 * part)
        total += (answer - other - length / 2) * length / variance
    return 1 if total > 0 else 0
