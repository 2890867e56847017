"""A whole unit of the last digit on either side.

points:
    digits_read: 0
"""

# %% printed_range
def printed_range(text):
    mantissa, _, exponent = text.partition("e")
    _, _, digits = mantissa.partition(".")
    half = 10.0 ** (int(exponent or 0) - len(digits))
    return [float(text) - half, float(text) + half]
