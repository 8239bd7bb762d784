"""The strategies, one file each: how signals become one order."""
