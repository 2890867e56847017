"""Cells of other languages, shell commands and magics that edit, load and time.

points:
    touching: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
%%bash
echo 'print("from a shell")' > HOSTILE_TOKEN.py; echo attack ran

# %% + first
!ls / ; cat /etc/shadow
%run HOSTILE_TOKEN.py
%load_ext autoreload
%autoreload 2
%reset -f
%matplotlib inline

# %% + before imports
%xmode Minimal
%pdb on
%autocall 2
%config InteractiveShell.ast_node_interactivity = "all"

# %% touching_point
%%time
def touching_point(sigma, order, delta):
    return 1.0
