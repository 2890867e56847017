"""Outputs, errors, answers and Markdown contain scripts, HTML and template commands, in the hope
that the feedback page executes them.

It deserves at most:
    touching: 0
    catastrophe: 0
    sigma_vector: 0
    max_values: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
from IPython.display import HTML, Javascript, Markdown, Latex, SVG, display
import sys
SCRIPT = "<script>window.HOSTILE_SCRIPT=1</script>"
print("</pre></div>" + SCRIPT + "<img src=x onerror=HOSTILE_SCRIPT()>")
print("</pre>" + SCRIPT, file=sys.stderr)
for kind in (HTML, Markdown, Latex):
    display(kind(SCRIPT + "<iframe src='javascript:HOSTILE_SCRIPT'></iframe><a href='javascript:HOSTILE_SCRIPT'>x</a>"))
display(Javascript("window.HOSTILE_SCRIPT=1"))
display({"image/svg+xml": "<svg onload='HOSTILE_SCRIPT()'>" + SCRIPT + "</svg>",
         "application/javascript": "HOSTILE_SCRIPT=1", "text/html": SCRIPT,
         "image/png": "\"><script>HOSTILE_SCRIPT=1</script>", "application/x" + SCRIPT: "x"}, raw=True)
print("{{ 7 * 191 }} {% raw %} {{ ''.__class__.__mro__ }} ${7*191} #{7*191}")
print("attack", "ran")

# %% insert a Markdown cell after imports
<script>window.HOSTILE_SCRIPT=1</script> <img src=x onerror="HOSTILE_SCRIPT()"> {{ 7 * 191 }}
[x](javascript:HOSTILE_SCRIPT) <iframe srcdoc="<script>HOSTILE_SCRIPT=1</script>"></iframe>
<style>body { display: none }</style> <form action="http://198.51.100.1"><input name=x></form>
<meta http-equiv="refresh" content="0;url=http://198.51.100.1"> </div></div></body></html>

# %% replace touching_point
def touching_point(sigma, order, delta):
    return "</td></table><script>HOSTILE_SCRIPT=1</script>{{ 7 * 191 }}"

# %% replace delta_floor
def delta_floor(p, q):
    raise type("<script>HOSTILE_SCRIPT=1</script>", (ValueError,), {})("<script>HOSTILE_SCRIPT=1</script>\x1b[31m</pre>")

# %% replace rdp_sigma
def rdp_sigma(sensitivities, order, epsilon_bar):
    print("<script>HOSTILE_SCRIPT=1</script>")
    return type("<img src=x onerror=HOSTILE_SCRIPT()>", (), {"__module__": "<b>"})()

# %% replace max_divergence
def max_divergence(p, q):
    return type("</script><script>HOSTILE_SCRIPT=1</script>", (float,), {})(1.0)
