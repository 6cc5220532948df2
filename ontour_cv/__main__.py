"""``python -m ontour_cv`` is the same as ``ontour-cv``."""

from ontour_cv.cli import main

main()
