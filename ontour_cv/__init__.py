"""Score On Tour boards from a phone photo: read, referee, and prove the best route."""

__version__ = "0.1.0"
