"""The verbs of long-term memory, one file each."""
