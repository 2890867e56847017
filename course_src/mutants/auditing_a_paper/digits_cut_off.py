"""The digits were cut off, and not rounded.

points:
    digits_read: 0
"""

# %% printed_range
def printed_range(text):
    mantissa, _, exponent = text.partition("e")
    _, _, digits = mantissa.partition(".")
    half = 0.5 * 10.0 ** (int(exponent or 0) - len(digits))
    return [float(text), float(text) + 2 * half]
