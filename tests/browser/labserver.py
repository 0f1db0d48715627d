"""A JupyterLab of one's own for a browser test: its own home, root, port and token-free."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    """Return where Chromium is installed, if it is."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


@contextlib.contextmanager
def serve(folder: Path, notebooks: list[Path], lang: str = "en") -> Iterator[str]:
    """Serve copies of the notebooks from `folder`; yields the address.

    Parameters
    ----------
    folder : Path
        An empty folder: becomes home and root.
    """
    work = folder / "work"
    work.mkdir()
    for notebook in notebooks:
        shutil.copy(notebook, work)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    env = {**os.environ, "HOME": str(folder), "CTXLAB_LANG": lang, "PYTHONPATH": paths}
    # A notebook test that runs beside this one must not share its settings or its kernels.
    env |= {"JUPYTER_CONFIG_DIR": str(folder / "config"), "JUPYTER_DATA_DIR": str(folder / "data")}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--port={port}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={work}"]
    command += ["--IdentityProvider.token="]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    settings = folder / "config" / "lab" / "user-settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    # Unasked, Lab covers a corner of the page with an offer of news from the network.
    (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
    with open(folder / "server.log", "wb") as log:
        server = subprocess.Popen(command, cwd=work, env=env, stdout=log, stderr=log)
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for(f"{address}/api", server, folder / "server.log")
        yield address
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise RuntimeError(f"JupyterLab ended: {log.read_text()[-2000:]}")
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=5):
            return
        time.sleep(0.3)
    raise RuntimeError(f"JupyterLab isn't up after two minutes: {log.read_text()[-2000:]}")


@contextlib.contextmanager
def browse(folder: Path, width: int = 1280, height: int = 800) -> Iterator[Any]:
    """Open a page of headless Chromium with a profile of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        context = play.chromium.launch_persistent_context(
            str(folder / "profile"),
            executable_path=chromium(),
            args=CHROMIUM_FLAGS,
            headless=True,
            viewport={"width": width, "height": height},
        )
        context.set_default_timeout(60_000)
        try:
            yield context.pages[0] if context.pages else context.new_page()
        finally:
            context.close()


def run_all(page: Any, address: str, name: str) -> None:
    """Open a notebook, wait for its kernel, run all cells, wait until the last has run."""
    page.goto(f"{address}/lab/tree/{name}?reset", timeout=120_000)
    idle = page.get_by_text("Python 3 (ipykernel) | Idle")
    idle.wait_for(timeout=120_000)  # earlier, Lab would ask which kernel to use
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    # Between two cells the kernel is idle for a moment: only a lasting idle is the end.
    deadline, calm = time.monotonic() + 300, 0
    while calm < 8:
        if time.monotonic() > deadline:
            raise RuntimeError("the notebook still runs after five minutes")
        page.wait_for_timeout(250)
        running = page.get_by_text("[*]:", exact=True).count()
        calm = calm + 1 if idle.is_visible() and not running else 0
