"""The cells use IPython's commands for other languages, shell programs and settings, some of which
change how later cells run.

It deserves at most:
    touching: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after imports
%%bash
echo 'print("from a shell")' > HOSTILE_TOKEN.py; echo attack ran

# %% insert a cell after imports
!ls / ; cat /etc/shadow
%run HOSTILE_TOKEN.py
%load_ext autoreload
%autoreload 2
%reset -f
%matplotlib inline

# %% insert a cell before imports
%xmode Minimal
%pdb on
%autocall 2
%config InteractiveShell.ast_node_interactivity = "all"

# %% replace touching_point
%%time
def touching_point(sigma, order, delta):
    return 1.0
