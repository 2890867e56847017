"""Tables of 0 and 1 are enumerated: more follows for bits than for any numbers.

points:
    audit_of_questions: 0
"""

# %% exposed
def exposed(questions, patients):
    from itertools import product

    seen = {}
    for table in product([0, 1], repeat=patients):
        answers = tuple(sum(a * b for a, b in zip(row, table)) for row in questions)
        seen.setdefault(answers, []).append(table)
    found = []
    for i in range(patients):
        if all(len({table[i] for table in tables}) == 1 for tables in seen.values()):
            found.append(i)
    return found
