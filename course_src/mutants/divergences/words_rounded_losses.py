"""Losses rounded to a tenth.

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
        value = math.inf if y == 0 else -math.inf if x == 0 else round(math.log(x / y), 1)
        for number, other in enumerate(known):
            if value == other:
                break
        else:
            number = len(known)
            known.append(value)
        words.append(number)
    return words
