"""Only neighbours in the list are merged.

points:
    words_merged: 0
"""

# %% fewest_words
def fewest_words(p, q):
    words, last, number = [], None, -1
    for x, y in zip(p, q):
        if x == 0 and y == 0:
            words.append(-1)
            continue
        value = math.inf if y == 0 else x / y
        if last is None or not math.isclose(value, last, rel_tol=1e-6):
            number += 1
        words.append(number)
        last = value
    return words
