"""Answers that neither law gives have a word.

points:
    words_merged: 0
"""

# %% fewest_words
def fewest_words(p, q):
    words, known = [], []
    for x, y in zip(p, q):
        if False:
            words.append(-1)
            continue
        value = math.inf if y == 0 else x / y
        for number, other in enumerate(known):
            if math.isclose(value, other, rel_tol=1e-6):
                break
        else:
            number = len(known)
            known.append(value)
        words.append(number)
    return words
