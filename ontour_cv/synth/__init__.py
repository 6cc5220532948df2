"""Synthesis: boards played by a correct simulator, rendered as phone photographs with their truth.

Used by training, benchmarks and fixtures; nothing at run time imports it.
"""
