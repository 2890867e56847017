// Empty in a built book. `dpteach serve` serves another file under this name, which shows the links to its JupyterLab.
