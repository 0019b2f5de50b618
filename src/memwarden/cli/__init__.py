"""Every command a person types."""

from memwarden.cli.app import main

__all__ = ["main"]
