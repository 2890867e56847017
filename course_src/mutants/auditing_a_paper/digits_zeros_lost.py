"""The text goes through a float, which forgets final zeros.

points:
    digits_read: 0
"""

# %% printed_range
def printed_range(text):
    if "." in text:
        text = str(float(text))
    mantissa, _, exponent = text.partition("e")
    _, _, digits = mantissa.partition(".")
    half = 0.5 * 10.0 ** (int(exponent or 0) - len(digits))
    return [float(text) - half, float(text) + half]
