"""Files of arrays: NumPy, SciPy, safetensors, and the binary layouts of vectors."""
