"""A cell starts processes that detach from their parent in order to survive the grading. The grader
must end them.

It deserves at most:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import os, subprocess, sys
try:
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.closerange(0, 1024)
                os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(631)", "HOSTILE_TOKEN"])
            os._exit(0)
except OSError as error:
    print(error)
try:
    subprocess.Popen(["nohup", "sh", "-c", "sleep 631; : HOSTILE_TOKEN"], start_new_session=True,
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
except OSError as error:
    print(error)
print("attack", "ran")

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
