"""The disks of the test of the power cut, and the films on them."""
import datetime
import fractions
import functools
import hashlib
import json
import pathlib
import subprocess

from writelog import Replay, WriteLog

RATE = 24


def run(*command, codes=(0,), **options):
    done = subprocess.run(command, capture_output=True, **options)
    if done.returncode not in codes:
        raise RuntimeError(f"{' '.join(map(str, command))}: code {done.returncode}: {done.stderr.decode()}")
    return done.stdout


class Disk:
    """A disk, the log of its writes in one start of the machine, and what it was before."""

    def __init__(self, folder, name, log, before):
        self.name = name
        self.log = WriteLog(folder / log)
        self.base, self.cut_off, self.found = (folder / f"{name}.{kind}" for kind in ("base", "cut", "found"))
        run("cp", "--sparse=always", folder / before, self.base)
        self.replay = Replay(self.log, self.base)

    def forget(self):
        run("rm", "-rf", self.base, self.cut_off, self.found)

    def places_from(self, first, count, random):
        """Where to cut: anywhere, and as often right before a flush is done, when most is at stake."""
        flushes = [place for place, entry in enumerate(self.log.entries) if entry.is_flush and place >= first]
        anywhere = range(first, len(self.log.entries) + 1)
        few = [min(count // 2, len(flushes)), min(count - count // 2, len(anywhere))]
        return sorted({*random.sample(flushes, few[0]), *random.sample(anywhere, few[1])})

    def cut(self, place, random):
        """The films as a power cut behind that many entries of the log leaves them."""
        self.replay.cut(place, self.cut_off, random)
        run("rm", "-rf", self.found)
        self.found.mkdir()
        if self.name == "fat":
            run("fsck.fat", "-a", self.cut_off, codes=(0, 1))
            run("mcopy", "-s", "-n", "-i", self.cut_off, "::/films", self.found)
        else:
            run("e2fsck", "-fp", self.cut_off, codes=(0, 1))
            run("debugfs", "-R", f"rdump /films {self.found}", self.cut_off)
        return self.found / "films"


class Mending(Disk):
    """A disk while the file system and its films are mended."""

    def __init__(self, folder, name):
        super().__init__(folder, name, f"{name}.again-writes", f"{name}.cut-off")

    def places(self, count, random):
        return self.places_from(0, count, random)


class Recorded(Disk):
    """A disk that is recorded to; the marks among its writes (see marks) say what time it was."""

    def __init__(self, folder, name):
        super().__init__(folder, name, f"{name}.writes", f"{name}.before")
        image = folder / f"{name}.img"
        last = image.stat().st_size // self.log.sector_size - 1
        self.marks = [(place, _mark(self.log.data(entry))) for place, entry in enumerate(self.log.entries)
                      if entry.data is not None and entry.sector == last]
        with open(image, "rb") as file:
            file.seek(last * self.log.sector_size)
            #: When the power went.
            self.last = _mark(file.read())
        #: When the first frame was taken.
        self.began = datetime.datetime.fromisoformat(self.last["started"].replace("Z", "+00:00")).timestamp()

    def places(self, count, random):
        """While it records."""
        # FAT has no journal: in front of the first confirmation a cut may leave anything, and nothing is promised yet.
        first = next(place for place, mark in self.marks if mark["time"] > self.began
                     and (self.name != "fat" or mark.get("synchronized", 0) > 0))
        return self.places_from(first + 1, count, random)

    def mark_at(self, place):
        """What was said last, with the time of the next mark: nothing in front of the cut is younger."""
        said = [mark for at, mark in self.marks if at < place][-1]
        later = next((mark for at, mark in self.marks if at >= place), self.last)
        return {**said, "time": later["time"]}

    def stalled(self, time):
        """Seconds, of the two in front of `time`, for which the disk or the machine took no mark."""
        times = [mark["time"] for _, mark in self.marks if time - 2 <= mark["time"] <= time]
        gaps = [after - before for before, after in zip(times, times[1:])]
        return sum(gap - 0.02 for gap in gaps if gap > 0.1)


def _mark(sector):
    return json.loads(sector.rstrip(b"\0"))


@functools.cache
def _read(path, _):
    """A film's pictures and sound; the same film is met again and again."""
    copy = ("ffmpeg", "-v", "error", "-i", path, "-c", "copy")
    pictures = []
    for line in run(*copy, "-map", "0:v:0", "-f", "framemd5", "-").decode().splitlines():
        if line.startswith("#tb 0:"):
            base = fractions.Fraction(line.split()[-1])
        elif not line.startswith("#"):
            fields = [field.strip() for field in line.split(",")]
            pictures.append((float(int(fields[2]) * base), fields[5]))
    return tuple(sorted(pictures)), run(*copy, "-map", "0:a:0", "-f", "s16le", "-")


class Film:
    """A film's pictures, its sound and its sidecar."""

    def __init__(self, path):
        self.path = path
        content = path.read_bytes()
        #: When each picture shows, in seconds, and its bytes' hash; the samples.
        self.pictures, self.sound = _read(path, hashlib.sha256(content).digest()) if content else ((), b"")
        self.notes = Film.read_sidecar(pathlib.Path(f"{path}.camrec"))

    @staticmethod
    def read_sidecar(path):
        """Its records, without what was cut off."""
        notes = []
        for line in path.read_bytes().split(b"\n") if path.exists() else ():
            try:
                note = json.loads(line)
            except ValueError:
                continue
            notes.append(note)
        return notes

    @property
    def end(self):
        return self.pictures[-1][0] + 1 / RATE if self.pictures else 0.0

    @property
    def frames(self):
        """Those that its sidecar knows."""
        return {note["frame"] for note in self.notes if "frame" in note and "lost" not in note}

    def plays(self):
        return run("ffmpeg", "-v", "error", "-xerror", "-i", self.path, "-f", "null", "-") == b""
