"""Measures what ontour-cv reads, refuses and costs, and writes it into docs/; nothing at run time imports it."""
