"""The environments that make sets up, from every state a folder can be found in.

Nothing is downloaded: pip is left out, which is most of the time it takes to make one, and a link
to a package beside the folder stands for what it would install.
"""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[set[str]]]:
    """Return a call that ensures the extras and tells what it had to install."""
    spec = importlib.util.spec_from_file_location("environment", ROOT / ".ci" / "environment.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "MAKE", (*module.MAKE, "--without-pip"))
    monkeypatch.setattr(module, "SOUND", module.SOUND.replace("import pip, sys", "import sys"))
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / "constraints.txt").write_text("numpy==2.4.6\n")
    (tmp_path / "ctxlab").mkdir()
    (tmp_path / "ctxlab" / "__init__.py").touch()

    def install(self: Any, extras: set[str]) -> None:
        (site,) = self.folder.glob("lib/*/site-packages")
        (site / "ctxlab.pth").write_text(str(tmp_path))
        installed.append(extras)

    monkeypatch.setattr(module.Environment, "_install", install)
    installed: list[set[str]] = []

    def ensure(*extras: str) -> list[set[str]]:
        installed.clear()
        module.Environment(".venv", list(extras)).ensure()
        return list(installed)

    return ensure


def test_reused_until_something_changes(make: Any, tmp_path: Path) -> None:
    assert make("lab") == [{"lab"}]
    assert make("lab") == []
    assert make("lab", "st") == [{"lab", "st"}]
    assert make("lab") == []  # what is there already is enough
    inode = (tmp_path / ".venv" / "pyvenv.cfg").stat().st_ino
    (tmp_path / "constraints.txt").write_text("numpy==2.4.7\n")
    assert make("lab") == [{"lab"}]
    assert (tmp_path / ".venv" / "pyvenv.cfg").stat().st_ino == inode  # upgraded, not made anew
    (tmp_path / ".venv" / "ctxlab-setup.json").write_text("{half")
    assert make("lab") == [{"lab"}]


@pytest.mark.parametrize("state", ["no interpreter", "interrupted", "moved", "a file", "a link"])
def test_repaired_from_any_state(make: Any, tmp_path: Path, state: str) -> None:
    folder = tmp_path / ".venv"
    if state == "a file":
        folder.write_text("in the way")
    elif state == "a link":
        folder.symlink_to(tmp_path / "gone")
    else:
        make("lab")
    if state == "no interpreter":
        shutil.rmtree(folder / "bin")
    elif state == "interrupted":
        (folder / "ctxlab-unfinished").touch()
        (folder / "ctxlab-setup.json").unlink()
        (folder / "half-written").touch()
    elif state == "moved":
        (pth,) = folder.glob("lib/*/site-packages/ctxlab.pth")
        pth.write_text(str(ROOT))  # as if copied here from another checkout
    assert make("lab") == [{"lab"}]
    assert make("lab") == []
    assert not (folder / "half-written").exists()
