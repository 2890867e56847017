"""An input transformer comments out every line with check or assert.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
def drop(lines):
    return ["pass\n" if line.lstrip().startswith(("check", "assert")) else line for line in lines]

get_ipython().input_transformers_post.append(drop)
get_ipython().input_transformers_cleanup.append(drop)
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return None
