"""Build the book into ``book/_build/html``, or find it up to date: ``make book``.

Everything a page needs to be read travels with it: the widgets' JavaScript and MathJax come from
npm once, at build time. Notebooks are executed by the notebook tests' own runner, whose cache both
share, so that nothing is executed twice.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from lighten import lighten  # beside this file

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
BUILT, VENDOR = BOOK / "_build", BOOK / "_vendor"
# What an execution depends on beside the notebook itself, and what a page is made of.
CODE = ("ctxlab", "datasets", "tests/notebooks/runner.py", "book/constraints.txt")
PAGES = ("book", "notebooks", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff")
MADE = ("_build", "_vendor", "__pycache__", ".")  # found beside sources, and not sources


def files(names: Iterable[str]) -> Iterator[Path]:
    """Yield the source files under the names, in order, nothing that was built."""
    for name in names:
        path = ROOT / name
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in found:
            inside = file.relative_to(ROOT).parts
            if file.is_file() and not any(part.startswith(MADE) for part in inside):
                yield file


def digest(names: Iterable[str]) -> str:
    """Return the SHA-256 of the names and contents of files."""
    total = hashlib.sha256()
    for file in files(names):
        total.update(f"{file.relative_to(ROOT)}\0".encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def read(path: Path) -> str:
    """Return the text of a file, or nothing if there is none."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


# ------------------------------------------------------------------ what pages carry with them


def vendor() -> None:
    """Fetch the pinned npm packages and keep the few files that pages load."""
    wanted = read(BOOK / "package.json")
    stamp = VENDOR / "package.json"
    if read(stamp) == wanted:
        return
    shutil.rmtree(VENDOR, ignore_errors=True)
    VENDOR.mkdir()
    with tempfile.TemporaryDirectory() as scratch:
        # `npm pack` and not `npm install`: the packages alone, without the 130 they could use.
        packages = json.loads(wanted)["dependencies"]
        for name, version in packages.items():
            keep(name, unpack(f"{name}@{version}", Path(scratch)))
    stamp.write_text(wanted, encoding="utf-8")


def unpack(package: str, scratch: Path) -> Path:
    """Return the folder with the contents of an npm package."""
    target = Path(tempfile.mkdtemp(dir=scratch))
    command = ["npm", "pack", "--silent", "--pack-destination", str(target), package]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (archive,) = target.glob("*.tgz")
    with tarfile.open(archive) as tar:
        tar.extractall(target, filter="data")
    return target / "package"


def keep(name: str, folder: Path) -> None:
    """Copy what pages load from one package."""
    if name == "mathjax":
        (VENDOR / "mathjax").mkdir()
        shutil.copy(folder / "es5" / "tex-mml-chtml.js", VENDOR / "mathjax")
        shutil.copytree(folder / "es5" / "output", VENDOR / "mathjax" / "output")
    else:
        # Without its icon fonts: the theme brings the same icons, see assets/ctxlab.css.
        shutil.copy(folder / "dist" / "embed.js", VENDOR)


# ------------------------------------------------------------------ executions


def execute() -> None:
    """Put an execution of each notebook into the book's cache: the tests' own, if it's there."""
    from jupyter_cache import get_cache
    from jupyter_cache.base import CacheBundleIn

    sys.path.insert(0, str(ROOT / "tests" / "notebooks"))
    import runner

    cache = get_cache(str(BUILT / ".jupyter_cache"))
    for notebook in runner.NOTEBOOKS:
        print(f"executed: {notebook.name}", flush=True)
        executed = runner.without_solutions(runner.run(notebook, "en"))
        for cell in executed.cells:  # the cache compares metadata too: times would be a difference
            cell.metadata.pop("execution", None)
        # Unchecked: the solutions that were taken out have left gaps in the numbers of the cells.
        bundle = CacheBundleIn(executed, uri=str(notebook))
        cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


# ------------------------------------------------------------------ the build


def repository(project: str | None = None) -> str:
    """Return where the sources are published: ``CTXLAB_REPOSITORY``, else pyproject's own word.

    Parameters
    ----------
    project : str, optional
        Text of a pyproject.toml; default this project's.
    """
    text = read(ROOT / "pyproject.toml") if project is None else project
    urls = tomllib.loads(text)["project"].get("urls", {})
    named = {key.lower(): value for key, value in urls.items()}
    known = next((named[key] for key in ("repository", "source", "github") if key in named), "")
    return os.environ.get("CTXLAB_REPOSITORY") or known


def settings() -> str:
    """Return the configuration's path; with an address of the sources, pages offer to run them.

    A button on each chapter then opens it in Colab. Without an address there is nothing to open:
    the pages say how to run them here.
    """
    import yaml

    address = repository()
    if not address:
        return "book/_config.yml"
    config = yaml.safe_load(read(BOOK / "_config.yml"))
    config["repository"] = {"url": address, "branch": "main"}
    config["launch_buttons"] = {"colab_url": "https://colab.research.google.com"}
    config["html"] |= {"use_repository_button": True, "use_issues_button": True}
    path = BUILT / "_config.yml"
    path.write_text(yaml.safe_dump(config, allow_unicode=True), encoding="utf-8")
    return str(path.relative_to(ROOT))


def build() -> None:
    """Run jupyter-book; a warning is an error."""
    stamp, code = BUILT / "code.sha256", digest(CODE)
    if read(stamp) != code:  # outputs of another state of the package would be lies
        shutil.rmtree(BUILT, ignore_errors=True)
        BUILT.mkdir()
        stamp.write_text(code, encoding="utf-8")
    execute()
    shutil.rmtree(BUILT / "html", ignore_errors=True)  # what was lightened isn't what is written
    # --all: a page that isn't read again wouldn't repeat its warnings, and the build would pass.
    places = f"--config {settings()} --toc book/_toc.yml --path-output book"
    command = f"build . {places} --all -W --keep-going"
    program = Path(sys.executable).with_name("jupyter-book")
    env = {**os.environ, "OMP_NUM_THREADS": "1", "CTXLAB_LANG": "en"}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [str(BOOK), env.get("PYTHONPATH", "")]))
    env["PATH"] = f"{program.parent}{os.pathsep}{env['PATH']}"
    done = subprocess.run([str(program), *command.split()], cwd=ROOT, env=env)
    if done.returncode:
        sys.exit(done.returncode)
    lighten(BUILT / "html")


def main() -> None:
    """Build unless nothing has changed since the last good build; one process at a time."""
    with (BOOK / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # let go when the file is closed, however that comes
        stamp, inputs = BUILT / "inputs.sha256", digest((*CODE, *PAGES))
        inputs += repository()
        if read(stamp) == inputs and (BUILT / "html" / "index.html").exists():
            print("book: up to date")
            return
        stamp.unlink(missing_ok=True)
        vendor()
        build()
        stamp.write_text(inputs, encoding="utf-8")


if __name__ == "__main__":
    main()
