"""A loss and its negative are merged.

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
        value = math.inf if 0 in (x, y) else abs(math.log(x / y))
        for number, other in enumerate(known):
            if math.isclose(value, other, rel_tol=1e-6):
                break
        else:
            number = len(known)
            known.append(value)
        words.append(number)
    return words
