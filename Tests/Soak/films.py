"""Films of the simulated camera, as ffprobe and ffmpeg see them, and their sidecars.

    film = Film("take-0001.mov")
    film.sidecar.end["written"], film.times, film.numbers(), film.offsets({flash: seconds})
"""
import array
import json
import math
import subprocess

#: Of the simulated microphone (Sources/Cameras/SimulatedMicrophone.swift).
TONE_HERTZ, TONE_PEAK = 1000, 0.25 * 32767
#: Cells of a mark (Sources/Cameras/SimulatedMark.swift).
CELLS, WHITE, BLACK = 48, (0, 47), (1, 46)


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL).stdout


class Sidecar:
    """The account of a film: Documentation/Sidecar.md."""

    def __init__(self, path):
        self.head, self.end, self.frames, self.lost, self.warnings, self.settings = None, None, [], [], [], []
        self.continues = self.recovered = None
        with open(path, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    record = json.loads(line)
                except ValueError:
                    continue  # cut off by a kill
                kind = next(iter(record), None)
                if kind == "camrec-sidecar":
                    self.head = record
                elif kind == "frame":
                    self.frames.append(record)
                elif kind == "lost":
                    self.lost.append(record)
                elif kind == "warning":
                    self.warnings.append(record)
                elif kind == "setting":
                    self.settings.append(record)
                elif kind in ("continues", "recovered", "end"):
                    setattr(self, kind, record)

    def sequences(self):
        """The camera's own count of each frame in the film."""
        found, before = [], None
        for frame in self.frames:
            place = frame["frame"]
            sequence = frame.get("sequence")
            if sequence is None:
                sequence = before[1] + place - before[0] if before else None
            before = (place, sequence)
            found.append(sequence)
        return found

    def places(self):
        return [frame["frame"] for frame in self.frames]

    def losses(self):
        """Frames by reason, from the records as they came."""
        sums = {}
        for record in self.lost:
            if "sound" != record["lost"]:
                sums[record["lost"]] = sums.get(record["lost"], 0) + record["count"]
        return sums


class Film:
    def __init__(self, path):
        self.path = path
        self.sidecar = Sidecar(path + ".camrec")
        streams = json.loads(output("ffprobe", "-v", "error", "-show_streams", "-of", "json", path))["streams"]
        self.video = next(stream for stream in streams if stream["codec_type"] == "video")
        self.audio = next((stream for stream in streams if stream["codec_type"] == "audio"), None)
        self.times = Film.pictures(path)

        #: How long its pictures are, where the file says so: not in a .mkv, of which ffprobe guesses.
        self.seconds = float(self.video.get("duration") or 0) if str(path).endswith(".mov") else 0

    @staticmethod
    def pictures(path):
        """When each picture shows, in seconds; none of a file that is no film."""
        found = subprocess.run(
            ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time,flags", "-of",
             "csv=p=0", path], capture_output=True, stdin=subprocess.DEVNULL, text=True)
        packets = (line.split(",") for line in found.stdout.splitlines())
        # "D" lies in front of the film.
        return sorted(float(time) for time, flags, *_ in packets if "D" not in flags)

    def numbers(self):
        """The frame number that each picture shows, None where it cannot be read; without marks
        (below 320x180) None."""
        width, height = self.video["width"], self.video["height"]
        area = width * height / 100 / CELLS
        cell_height = max(4, 2 * round(math.sqrt(area) / 2))
        cell_width = min(int(area / cell_height), width // CELLS)
        if cell_width < 3:
            return None
        # A cell's middle, one row of it: what is left of it behind an encoder.
        process = subprocess.Popen(
            ["ffmpeg", "-v", "error", "-i", self.path, "-map", "0:v:0", "-vf",
             f"crop={CELLS * cell_width}:2:0:{cell_height // 2 & ~1}", "-fps_mode", "passthrough", "-pix_fmt", "gray",
             "-f", "rawvideo", "-"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        size, numbers = 2 * CELLS * cell_width, []
        while len(row := process.stdout.read(size)) == size:
            numbers.append(number([row[cell_width * cell + cell_width // 2] for cell in range(CELLS)]))
        if process.wait():
            raise RuntimeError(f"ffmpeg does not decode {self.path}")
        return numbers

    def offsets(self, flashes):
        """By flash: seconds from when it shows to when its tone begins; None where there is none within a quarter
        second.

        `flashes`: by any key, when each shows in the film.
        """
        sound = array.array("h")
        sound.frombytes(output("ffmpeg", "-v", "error", "-i", self.path, "-map", "0:a:0", "-af", "pan=mono|c0=c0",
                               "-f", "s16le", "-"))
        rate, found = int(self.audio["sample_rate"]), {}
        for key, time in flashes.items():
            first = max(0, int((time - 0.25) * rate))
            window = sound[first:int((time + 0.25) * rate)]
            loud = next((place for place, sample in enumerate(window) if abs(sample) > TONE_PEAK / 3), None)
            if loud is None:
                found[key] = None
                continue
            # Back along the sine to where it began.
            phase = math.asin(min(1, abs(window[loud]) / TONE_PEAK)) / (2 * math.pi * TONE_HERTZ)
            found[key] = (first + loud) / rate - phase - time
        return found


def number(levels):
    white, black = sum(levels[cell] for cell in WHITE) / 2, sum(levels[cell] for cell in BLACK) / 2
    if abs(white - black) < 24:
        return None
    word = 0
    for cell in range(2, 42):
        word = word << 1 | (abs(levels[cell] - white) < abs(levels[cell] - black))
    checksum = 0xFF
    for byte in (word >> 8).to_bytes(4, "big"):
        checksum ^= byte
        for _ in range(8):
            checksum = (checksum << 1 ^ 0x07) & 0xFF if checksum & 0x80 else checksum << 1
    return word >> 8 if checksum == word & 0xFF else None


def flash_frames(first, last, rate):
    """Frames first … last that flash: the first at or behind each half second
    (Sources/Cameras/SimulatedFlash.swift)."""
    second = max(0, int(first / rate) - 1)
    while (frame := math.ceil((second + 0.5) * rate)) <= last:
        if frame >= first:
            yield frame
        second += 1


def metrics(path):
    """A file in Prometheus's text format: {(name, (label, …)): value}, without the label camera."""
    values = {}
    for line in open(path):
        if line.startswith("#") or not line.strip():
            continue
        name, value = line.rsplit(" ", 1)
        name, _, labels = name.partition("{")
        labels = tuple(sorted(
            label for label in labels.rstrip("}").split(",") if label and not label.startswith("camera=")))
        values[name, labels] = float(value)
    return values
