#!/usr/bin/env python3
"""Pictures of the window of 'camrec view', to be looked at: one camera at 1280x720, a rig's small screen at 800x480,
its list of keys, and a wall of four cameras at 1920x1080.

    Tests/View/pictures.py FOLDER

The program is $CAMREC_BINARY, with camrec-view beside it.
"""
import os
import pathlib
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/View"))
from display import Display  # noqa: E402
from place import OPEN, Failure, Place, wait_until  # noqa: E402

CAMERA = (
    "--camera", "sim:transfer=apple-log", "--lut", str(ROOT / "LUTs/log2709.cube"), "--size", "1280x720", "--fps", "24")


def picture(place, file, width, height, *keys, options=()):
    """Opens a window of that size, presses keys, and saves what it shows."""
    with Display(width, height) as display:
        window = place.open(display, *options)
        wait_until("the window has a picture", lambda: display.pixel(width // 4, height // 4) != (0, 0, 0))
        for key in keys:
            display.key(key)
        time.sleep(3)  # the histogram, and pictures of the window's own size
        display.save(file)
        OPEN.clear()
        window.terminate()
        window.wait()


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as room:
        place = Place(room)
        try:
            place.record("front", *CAMERA).close()
            place.command("front", "start")
            time.sleep(5)
            picture(place, folder / "window-1280x720.png", 1280, 720, "h", options=("--name", "front"))
            picture(place, folder / "window-800x480.png", 800, 480, options=("--name", "front"))
            picture(place, folder / "window-keys.png", 800, 480, "question", options=("--name", "front"))
            place.record("left", "--camera", "sim", "--size", "640x360", "--fps", "24", "--pre-roll", "2s").close()
            place.record("rear", "--camera", "sim", "--size", "640x360", "--fps", "24").close()
            place.record("right", "--camera", "sim", "--size", "640x360", "--fps", "24", "--microphone", "none").close()
            picture(place, folder / "window-1920x1080.png", 1920, 1080)
        except Failure as failure:
            sys.exit(f"Tests/View/pictures.py: {failure}")
        finally:
            place.end()
    for file in sorted(folder.glob("window-*.png")):
        print(os.path.getsize(file), file)


if __name__ == "__main__":
    main()
