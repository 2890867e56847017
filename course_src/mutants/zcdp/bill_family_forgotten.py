"""The family is forgotten.

points:
    year_billed: 0
"""

# %% rho_of_bill
def rho_of_bill(lines, people):
    total = 0.0
    for word, *numbers in lines:
        if word == "normal":
            length, sigma = numbers
            total += length**2 / (2 * sigma**2)
        elif word == "pure":
            total += numbers[0] * math.tanh(numbers[0] / 2)
        elif word == "Laplace":
            epsilon = 1 / numbers[0]
            total += epsilon + math.expm1(-epsilon)
        elif word == "sampled":
            total += 1 / (2 * numbers[1] ** 2)
    return 1 * total
