"""An answer's __del__ sleeps when the grader releases the answer.

points:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
import time
class Sleeper(float):
    def __del__(self): time.sleep(600)
def touching_point(sigma, order, delta):
    return Sleeper(1.0)
