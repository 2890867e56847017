"""At its exit, the kernel prints points, writes files and leaves a process behind.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first from _forge
import atexit, subprocess, sys

def last():
    print("99.0")
    try:
        forge("stream", {"name": "stdout", "text": "99.0"})
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", "HOSTILE_TOKEN"],
                         start_new_session=True)
    except Exception:
        pass

atexit.register(last)
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return None
