"""All numbers have three digits.

points:
    digits_read: 0
"""

# %% printed_range
def printed_range(text):
    mantissa, _, exponent = text.partition("e")
    _, _, digits = mantissa.partition(".")
    half = 0.5 * 10.0 ** (math.floor(math.log10(float(text))) - 2)
    return [float(text) - half, float(text) + half]
