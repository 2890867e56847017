"""Each relative for himself, with his own tie to Ada.

points:
    ties_used: 0
"""

# %% has_trait
def has_trait(answers, law, truths):
    table = np.array(law)
    of_ada = table.sum(axis=(1, 2))
    score = of_ada.copy()
    for a in (0, 1):
        score[a] *= truths[0] if answers[0] == a else 1 - truths[0]
        for who, given in ((1, table[a].sum(axis=1)), (2, table[a].sum(axis=0))):
            says = sum(g / of_ada[a] * (truths[who] if answers[who] == entry else 1 - truths[who])
                       for entry, g in enumerate(given))
            score[a] *= says
    return int(score[1] > score[0])
