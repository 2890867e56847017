"""A cosmetic repair in a cell whose first line is a magic of the student's own, which runs something
else.

points:
    vector_repaired: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first

def good(vector, sigma, rng):
    return [value + rng.normal(0.0, sigma) for value in vector]

def fix(line, cell):
    get_ipython().run_cell(cell)
    get_ipython().user_ns["repaired_vector"].__code__ = good.__code__
get_ipython().register_magic_function(fix, "cell", "fix")

# %% repaired_vector
%%fix
def repaired_vector(vector, sigma, rng):
    seed = int(rng.integers(2**30))
    noisy = []
    for value in vector:
        source = np.random.default_rng(seed)
        noisy.append(value + source.normal(0.0, sigma))
    return noisy
