"""What is computed is charged.

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
    total += sum(line[1] for line in lines if line[0] == "computed")
    return people**2 * total
