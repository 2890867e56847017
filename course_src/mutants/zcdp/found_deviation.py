"""By the standard deviation.

points:
    patient_found: 1.4
"""

# %% is_there
def is_there(answers, others, lengths, parts):
    total = 0.0
    for answer, other, length, part in zip(answers, others, lengths, parts):
        variance = length / (2 * part)
        total += (answer - other - length / 2) / variance**0.5
    return 1 if total > 0 else 0
