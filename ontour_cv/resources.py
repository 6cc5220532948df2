"""The only module that knows where templates, calibrations and models lie.

In a checkout the folders ``templates/`` and ``calibration/`` stand beside the package, where people edit them; an
installed wheel carries both inside the package. An editable install leaves a copy of them in site-packages that nobody
keeps up to date, so the checkout wins whenever this very file belongs to one.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE_DIR = Path(__file__).resolve().parent


def checkout_root() -> Path | None:
    """The checkout this code runs from, or None when it runs from an installed wheel."""
    root = PACKAGE_DIR.parent
    project = root / "pyproject.toml"
    if project.is_file() and 'name = "ontour-cv"' in project.read_text(encoding="utf-8"):
        return root
    return None


def templates_dir() -> Path:
    """Folder of the map templates, ``<map>.toml``."""
    return (checkout_root() or PACKAGE_DIR) / "templates"


def calibration_dir() -> Path:
    """Folder of the calibrations of printed editions, ``<map>-<edition>.json``."""
    return (checkout_root() or PACKAGE_DIR) / "calibration"


def models_dir() -> Path:
    """Folder of the networks and their model cards; part of the package in either case."""
    return PACKAGE_DIR / "models"
