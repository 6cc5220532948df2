"""The only module that knows where templates, calibrations and models lie.

In a checkout the folders ``templates/`` and ``calibration/`` stand beside the package, where people edit them; an
installed wheel carries both inside the package. An editable install leaves a copy of them in site-packages that nobody
keeps up to date, so the checkout wins whenever this very file belongs to one.

More maps may lie in folders of the user's own, templates and calibrations side by side, and variants of the rules in
a folder ``rules`` beside them.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

PACKAGE_DIR = Path(__file__).resolve().parent

MAPS_VARIABLE = "ONTOUR_CV_MAPS"
"""Environment variable that names folders with more maps, parted as in ``PATH``."""

_named: ContextVar[tuple[Path, ...]] = ContextVar("named map folders", default=())


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


def rules_dir() -> Path:
    """Folder of the variants of the rules, ``<key>.toml``."""
    return templates_dir() / "rules"


def user_data_dir(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The user's folder for this program, ``ontour-cv`` where the platform keeps data of programs; it may be missing.

    That is ``LOCALAPPDATA`` on Windows, ``~/Library/Application Support`` on macOS, and ``XDG_DATA_HOME`` or
    ``~/.local/share`` elsewhere (XDG Base Directory Specification, which ignores relative paths). Where there is no
    home the folder worked in stands for it.
    """
    try:
        home = Path.home()
    except RuntimeError:  # no HOME and a user the system has no name for, as in containers: maps and rules are there
        home = Path.cwd()
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "ontour-cv"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "ontour-cv"
    given = Path(environ.get("XDG_DATA_HOME", ""))
    return (given if given.is_absolute() else home / ".local" / "share") / "ontour-cv"


@contextmanager
def more_maps(folders: Sequence[Path]) -> Iterator[None]:
    """While it lasts, maps are looked for in ``folders`` first."""
    token = _named.set(tuple(folders))
    try:
        yield
    finally:
        _named.reset(token)


def program() -> str:
    """How a command begins that is told to be typed: the folders named for maps go with it, for it needs them, too."""
    return " ".join(["ontour-cv", *(f"--maps-dir {shlex.quote(str(folder))}" for folder in _named.get())])


def map_dirs() -> tuple[Path, ...]:
    """Folders with map templates, the first to be looked in first: those named, the variable's, the user's, our own."""
    return (*_extra_dirs(), templates_dir())


def calibration_dirs() -> tuple[Path, ...]:
    """Folders with calibrations, in the same order."""
    return (*_extra_dirs(), calibration_dir())


def extra_rules_dirs() -> tuple[Path, ...]:
    """Folders with the user's variants of the rules, in the same order."""
    return tuple(folder / "rules" for folder in _extra_dirs())


def own_maps_dir() -> Path:
    """The folder for maps and editions that the user makes, which may be missing: the first that is looked in."""
    return _extra_dirs()[0]


def _extra_dirs() -> tuple[Path, ...]:
    listed = tuple(Path(name) for name in os.environ.get(MAPS_VARIABLE, "").split(os.pathsep) if name)
    return (*_named.get(), *listed, user_data_dir() / "maps")


def models_dir() -> Path:
    """Folder of the networks and their model cards; part of the package in either case."""
    return PACKAGE_DIR / "models"
