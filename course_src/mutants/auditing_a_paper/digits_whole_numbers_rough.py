"""Final zeros of a whole number are taken for unknown.

points:
    digits_read: 0
"""

# %% printed_range
def printed_range(text):
    mantissa, _, exponent = text.partition("e")
    whole, _, digits = mantissa.partition(".")
    lost = 0 if digits else len(whole) - len(whole.rstrip("0"))
    half = 0.5 * 10.0 ** (int(exponent or 0) - len(digits) + lost)
    return [float(text) - half, float(text) + half]
