"""`python -m memwarden.cli`."""

from memwarden.cli.app import main

if __name__ == "__main__":
    main()
