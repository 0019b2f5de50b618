"""How things look as JSON: what a request says, and what an answer shows."""
