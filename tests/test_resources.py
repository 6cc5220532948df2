"""Data come from the checkout when there is one, and from the package when it is installed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ontour_cv import resources


def test_in_a_checkout_the_folders_people_edit_are_used() -> None:
    root = resources.checkout_root()
    assert root is not None
    assert resources.templates_dir() == root / "templates"
    assert resources.calibration_dir() == root / "calibration"


def test_in_an_installed_wheel_the_packages_own_folders_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "PACKAGE_DIR", tmp_path / "site-packages" / "ontour_cv")
    assert resources.checkout_root() is None
    assert resources.templates_dir() == tmp_path / "site-packages" / "ontour_cv" / "templates"
    assert resources.models_dir() == tmp_path / "site-packages" / "ontour_cv" / "models"


def test_another_projects_checkout_around_the_package_is_not_taken_for_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "something"\n', encoding="utf-8")
    monkeypatch.setattr(resources, "PACKAGE_DIR", tmp_path / "ontour_cv")
    assert resources.templates_dir() == tmp_path / "ontour_cv" / "templates"


def test_named_folders_come_first_then_the_variables_then_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, listed, other, home = (tmp_path / name for name in ("named", "listed", "other", "home"))
    monkeypatch.setenv(resources.MAPS_VARIABLE, os.pathsep.join(map(str, (listed, other))))
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    with resources.more_maps([named]):
        folders = resources.map_dirs()
        assert resources.calibration_dirs() == (*folders[:-1], resources.calibration_dir())
        assert resources.own_maps_dir() == named
    users = resources.user_data_dir() / "maps"
    assert folders == (named, listed, other, users, resources.templates_dir())
    assert resources.map_dirs() == folders[1:]


def test_without_any_home_maps_are_found_and_the_folder_worked_in_stands_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A container run as a user the system knows nothing of."""

    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nowhere)
    monkeypatch.chdir(tmp_path)
    assert resources.user_data_dir({}, "linux") == tmp_path / ".local" / "share" / "ontour-cv"
    given = tmp_path / "data"
    assert resources.user_data_dir({"XDG_DATA_HOME": str(given)}, "linux") == given / "ontour-cv"
    assert resources.templates_dir() in resources.map_dirs()
