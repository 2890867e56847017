"""Below a power of ten the range is cut short, as the numbers are denser there.

points:
    digits_read: 0
"""

# %% printed_range
def printed_range(text):
    mantissa, _, exponent = text.partition("e")
    _, _, digits = mantissa.partition(".")
    half = 0.5 * 10.0 ** (int(exponent or 0) - len(digits))
    below = half / 10 if float(mantissa) == 1 else half
    return [float(text) - below, float(text) + half]
