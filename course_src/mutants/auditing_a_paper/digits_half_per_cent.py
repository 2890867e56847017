"""Half a per cent of the number.

points:
    digits_read: 0
"""

# %% printed_range
def printed_range(text):
    mantissa, _, exponent = text.partition("e")
    _, _, digits = mantissa.partition(".")
    half = float(text) / 200
    return [float(text) - half, float(text) + half]
