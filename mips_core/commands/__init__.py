"""The commands of python -m mips_core, but for those short enough to stand in it."""
