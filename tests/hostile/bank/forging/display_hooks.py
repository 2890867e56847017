"""sys.displayhook, the display formatter and the publisher replace each output by points.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import sys
shell = get_ipython()
def hook(value=None):
    print("2.0")
sys.displayhook = hook
shell.display_formatter.format = lambda *a, **k: ({"text/plain": "2.0"}, {})
publish = shell.display_pub.publish
shell.display_pub.publish = lambda data, *a, **k: publish({"text/plain": "2.0"})
shell.events.register("post_run_cell", lambda *a: print("2.0"))
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return None
