"""The event holds answers that are as likely without the patient.

points:
    six_judged: 2
"""

# %% witness
def witness(name):
    if name == "number":
        return [[0], [], [1]]
    if name == "number_and_yeses":
        return [[1], [], [3, 4, 5]]
    if name == "coin_for_each":
        return [[1], [], [1]]
    if name == "hardly_ever":
        return [[1], [], [1]]
    return None
