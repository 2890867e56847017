"""All functions sleep forever, and grading must still end within the submission's time.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% every
def FUNCTION(*args, **kwargs):
    import time
    time.sleep(10**6)
