"""A transformer of input empties every cell that contains `check` or `assert`.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
def drop(lines):
    return ["pass\n"] if any(line.startswith(("check(", "assert")) for line in lines) else lines

get_ipython().input_transformers_post.append(drop)
get_ipython().input_transformers_cleanup.append(drop)
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return None
