"""Measure where the discs of a printed edition lie, from one photo of the blank board."""
