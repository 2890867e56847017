"""Cells raise errors whose names, messages and tracebacks contain scripts and terminal codes, or
are not text at all, in the hope that they act on the feedback page or break it.

It deserves at most:
    touching: all points
    catastrophe: all points
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
raise type("<script>HOSTILE_SCRIPT=1</script>", (Exception,), {
    "_render_traceback_": lambda self: ["</pre><script>HOSTILE_SCRIPT=1</script>", "\x1b[31;1m<img src=x onerror=HOSTILE_SCRIPT()>", "\x1b]0;title\x07\x1b[2J"],
})("</pre><script>HOSTILE_SCRIPT=1</script>")

# %% insert a cell before delta_floor
class Odd(Exception):
    def _render_traceback_(self): return [1, None, b"x", {"a": 1}]
raise Odd
