"""The commands of python -m mips_core, each in the file of its name."""
