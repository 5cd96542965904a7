"""Recorders, and windows that show them.

    place = Place(folder); looker = place.record("front", "--camera", "sim"); place.open(display, "--name", "front")
"""
import json
import os
import pathlib
import subprocess
import time

from looker import Looker

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CAMREC = os.environ.get("CAMREC_BINARY") or str(ROOT / ".build/release/camrec")
#: Seconds for everything that has to happen.
PATIENCE = 60


class Failure(Exception):
    pass


#: The window that is open, if one is.
OPEN = []


def wait_until(what, look):
    """Looks until something is so; a minute at most."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if (found := look()) not in (None, False):
            return found
        for window in OPEN:
            if window.poll() is not None:
                raise Failure(f"before {what} the window ended with {window.returncode}: {window.stderr.read()}")
        time.sleep(0.02)
    raise Failure(f"within {PATIENCE} s it did not happen that {what}")


class Place:
    """Recorders and their folder, which no other recorder is in."""

    def __init__(self, folder):
        self.folder, self.recorders = folder, {}
        self.environment = os.environ | {"XDG_RUNTIME_DIR": folder, "CAMREC_PROGRESS": "none"}
        # Recorders of the system are not this test's.
        alone = ["unshare", "--mount", "sh", "-c", "mount -t tmpfs none /run/camrec && exec \"$@\"", "sh"]
        is_there = os.path.isdir("/run/camrec")
        can_be_alone = is_there and not subprocess.run([*alone, "true"], stderr=subprocess.DEVNULL).returncode
        self.alone = alone if can_be_alone else []

    def record(self, name, *options):
        """A recorder in standby, and what looks through it."""
        log = open(f"{self.folder}/{name}.txt", "a")
        self.recorders[name] = subprocess.Popen(
            [CAMREC, "record", "--preset", "ultrafast", "--standby", "--name", name,
             "--output", f"{self.folder}/{name}.mov", "--overwrite", *options],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        return Looker(wait_until(f"{name} has a monitor", lambda: self.monitor(name)))

    def monitor(self, name):
        """The path that its state file tells, once there is something."""
        for file in pathlib.Path(self.folder, "camrec").glob("*.state.json"):
            try:
                record = json.loads(file.read_text())
            except ValueError:
                continue
            if record["name"] == name and record["writer"]["pid"] == self.recorders[name].pid:
                return record.get("monitor") if os.path.exists(record.get("monitor") or "") else None
        return None

    def command(self, name, *words):
        """The recorder's state after a command; None if it does not answer."""
        ask = subprocess.run(
            [CAMREC, "ctl", "--name", name, "--json", *words], env=self.environment, capture_output=True, text=True)
        return json.loads(ask.stdout) if ask.returncode == 0 else None

    def phase(self, name):
        state = self.command(name, "state")
        return state and state["phase"]

    def view(self, *options, display=None, **environment):
        return subprocess.Popen(
            [*self.alone, CAMREC, "view", *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=self.environment | (display.environment if display else {}) | environment)

    def open(self, display, *options):
        """A window that fills the display."""
        OPEN.append(self.view("--size", f"{display.width}x{display.height}", *options, display=display))
        return OPEN[0]

    def end(self):
        for window in OPEN:
            window.kill()
            window.wait()
        for recorder in self.recorders.values():
            recorder.kill()
            recorder.wait()
