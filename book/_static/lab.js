// `dpteach serve` puts another file in this place, which shows the links into its JupyterLab.
