"""Objects sleep when they are deleted, and threads delay the end of the interpreter.

points:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
import atexit, threading, time
class Sleeper:
    def __del__(self): time.sleep(600)
keep = [Sleeper() for _ in range(10)]
atexit.register(time.sleep, 600)
threading.Thread(target=time.sleep, args=(600,), daemon=False).start()
print("attack", "ran")

# %% touching_point
def touching_point(sigma, order, delta):
    return 1.0
