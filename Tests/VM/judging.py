"""What the tests' judges share: camrec's account of a recording, and the film as ffprobe and ffmpeg see it.

    results = Results()
    with results.recording("yuyv") as take:
        take.check_exit(0)
        check(len(take.film.times) == 8, f"yuyv: {len(take.film.times)} frames")
    finish()
"""
import array
import json
import pathlib
import subprocess
import sys

_checks = 0
_failures = []


def check(holds, sentence):
    """Counts a claim; `sentence` says what was found."""
    global _checks
    _checks += 1
    if not holds:
        _failures.append(sentence)
        print(f"   not so: {sentence}", file=sys.stderr)


def finish():
    """Ends the judge: code 0 when every claim held, and there was one."""
    print(f"   {_checks - len(_failures)} of {_checks} checks hold", file=sys.stderr)
    sys.exit(0 if _checks and not _failures else 1)


def _run(*command):
    return subprocess.run(command, check=True, capture_output=True).stdout


class Results:
    """The folder that the machine wrote to; the judge's first argument."""

    def __init__(self):
        self.path = pathlib.Path(sys.argv[1])

    def recording(self, name, extension="mov"):
        return Recording(self.path, name, extension)


class Recording:
    """One run of camrec, by the name that the guest part gave it. In a `with`, what goes wrong stays with it."""

    def __init__(self, folder, name, extension):
        self.name = name
        self.exit = int((folder / f"{name}.exit").read_text())
        self.log = (folder / f"{name}.log").read_text()
        self.events = [json.loads(line) for line in (folder / f"{name}.events").read_text().splitlines()]
        self.path = folder / f"{name}.{extension}"

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        """An exception (no film, one that ffprobe cannot read) is a claim that does not hold."""
        if isinstance(error, Exception):
            said = getattr(error, "stderr", b"").decode().strip()
            check(False, f"{self.name}: {said or repr(error)}")
        return isinstance(error, Exception)

    def event(self, kind):
        """The last event of that kind; empty when there is none."""
        return next((event for event in reversed(self.events) if event["event"] == kind), {})

    @property
    def warnings(self):
        return " ".join(str(event) for event in self.events if event["event"] == "warning")

    @property
    def said(self):
        """What it told a person and a program of a failure."""
        return self.log + str(self.event("stopped").get("error", ""))

    @property
    def ledger(self):
        return Ledger(self.event("stopped").get("ledger", {}))

    @property
    def film(self):
        return Film(self.path)

    def check_exit(self, code):
        check(self.exit == code, f"{self.name}: exit code {self.exit}, not {code}; it said: {self.said.strip()[-400:]}")

    def check_account(self, film=None):
        """Every frame that was due is written or lost for a named reason, and the film holds those written."""
        ledger = self.ledger
        check(ledger.expected == ledger.written + ledger.lost,
              f"{self.name}: {ledger.expected} expected, {ledger.written} written, {ledger.lost} lost")
        frames = len((film or self.film).times)
        check(frames == ledger.written,
              f"{self.name}: the film holds {frames} frames, the ledger says {ledger.written}")


class Ledger:
    """The account of the frames, from the event "stopped"."""

    def __init__(self, fields):
        self.expected = fields.get("expected", -1)
        self.captured = fields.get("captured", -1)
        self.written = fields.get("written", -1)
        reasons = fields.get("lost", {})
        self.device_gap = reasons.get("deviceGap", 0)
        self.device_error = reasons.get("deviceError", 0)
        self.overload = reasons.get("overload", 0)
        self.disk = reasons.get("disk", 0)
        self.defect = reasons.get("defect", 0)

    @property
    def lost(self):
        return self.device_gap + self.device_error + self.overload + self.disk + self.defect


class Film:
    """A film, read by ffprobe and ffmpeg."""

    def __init__(self, path):
        self.path = str(path)
        answer = _run("ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", self.path)
        answer = json.loads(answer)
        self.format = answer["format"]
        self.streams = answer["streams"]
        self.video = next(stream for stream in self.streams if stream["codec_type"] == "video")
        self.audio = next((stream for stream in self.streams if stream["codec_type"] == "audio"), None)
        self.width, self.height = self.video["width"], self.video["height"]
        packets = json.loads(_run("ffprobe", "-v", "error", "-select_streams", "v:0",
                                  "-show_entries", "packet=pts_time", "-of", "json", self.path))
        #: When each picture shows, in seconds.
        self.times = sorted(float(packet["pts_time"]) for packet in packets["packets"])

    @property
    def duration(self):
        """Of the pictures, in seconds."""
        return float(self.video["duration"])

    def planes(self, crop=None, frames=None):
        """Y, Cb and Cr of each picture in code values, 8 bit and unscaled: bytes of the same size."""
        width, height, filters = self.width, self.height, []
        if crop:
            width, height = crop[:2]
            filters = ["-vf", "crop={}:{}:{}:{}".format(*crop)]
        limit = ["-frames:v", str(frames)] if frames else []
        data = _run("ffmpeg", "-v", "error", "-i", self.path, "-map", "0:v:0", *filters, *limit,
                    "-fps_mode", "passthrough", "-pix_fmt", "yuv444p", "-f", "rawvideo", "-")
        size = width * height
        for start in range(0, len(data), 3 * size):
            yield tuple(data[start + plane * size : start + (plane + 1) * size] for plane in range(3))

    def means(self, crop):
        """The mean luma, in code values, of an area (width, height, x, y) in each picture."""
        return [sum(luma) / len(luma) for luma, _, _ in self.planes(crop)]

    def sound(self):
        """The left channel's samples."""
        data = _run("ffmpeg", "-v", "error", "-i", self.path, "-map", "0:a:0",
                    "-af", "pan=mono|c0=c0", "-f", "s16le", "-")
        samples = array.array("h")
        samples.frombytes(data)
        return samples

    @property
    def sample_rate(self):
        return int(self.audio["sample_rate"])

    def rgb(self, luma, cb, cr):
        """R'G'B', 0…255, of code values, by what the film says of its matrix; limited range."""
        red, blue = {"bt709": (0.2126, 0.0722), "smpte170m": (0.299, 0.114), "bt470bg": (0.299, 0.114),
                     "bt2020nc": (0.2627, 0.0593)}[self.video["color_space"]]
        light, b_y, r_y = (luma - 16) / 219, (cb - 128) / 112 * (1 - blue), (cr - 128) / 112 * (1 - red)
        green = light - (red * r_y + blue * b_y) / (1 - red - blue)
        return tuple(round(255 * value, 1) for value in (light + r_y, green, light + b_y))


def onsets(samples, rate, threshold=1500, silence=0.3):
    """Seconds at which sound begins after at least that much silence."""
    found, last_loud = [], None
    for index, sample in enumerate(samples):
        if sample > threshold or sample < -threshold:
            if index > silence * rate and (last_loud is None or index - last_loud > silence * rate):
                found.append(index / rate)
            last_loud = index
    return found


def rises(values, times, threshold):
    """The times at which a value steps above the threshold."""
    return [time for before, value, time in zip(values, values[1:], times[1:]) if before < threshold <= value]
