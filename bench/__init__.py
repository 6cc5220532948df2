"""Measures what ontour-cv reads, refuses and costs, and writes it into docs/; nothing at run time imports it."""

from __future__ import annotations

import os

# As the command line does it, and for the same reasons; must be said before numpy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
