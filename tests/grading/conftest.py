"""Its place lets tests in the folders below import what stands here, as `in_process`."""
