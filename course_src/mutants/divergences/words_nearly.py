"""Factors that differ by five per cent are merged.

points:
    words_merged: 0
"""

# %% fewest_words
def fewest_words(p, q):
    words, known = [], []
    for x, y in zip(p, q):
        if x == 0 and y == 0:
            words.append(-1)
            continue
        value = math.inf if y == 0 else x / y
        for number, other in enumerate(known):
            if math.isclose(value, other, rel_tol=0.05):
                break
        else:
            number = len(known)
            known.append(value)
        words.append(number)
    return words
