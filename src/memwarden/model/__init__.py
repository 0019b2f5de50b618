"""Plain types of the domain: frozen, typed, without I/O."""
