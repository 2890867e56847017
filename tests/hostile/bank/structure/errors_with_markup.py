"""Errors whose names, texts and rendered tracebacks are markup and terminal codes.

points:
    touching: full
    catastrophe: full
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
raise type("<script>HOSTILE_SCRIPT=1</script>", (Exception,), {
    "_render_traceback_": lambda self: ["</pre><script>HOSTILE_SCRIPT=1</script>", "\x1b[31;1m<img src=x onerror=HOSTILE_SCRIPT()>", "\x1b]0;title\x07\x1b[2J"],
})("</pre><script>HOSTILE_SCRIPT=1</script>")

# %% + before delta_floor
class Odd(Exception):
    def _render_traceback_(self): return [1, None, b"x", {"a": 1}]
raise Odd
