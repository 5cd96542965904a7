#!/usr/bin/env python3
"""How fast whoever looks through a recorder sees what the camera has seen.

    Benchmarks/monitor.py [--seconds 10] [--runs 9]
    Benchmarks/monitor.py --subscribers 100 [--size 640x360]    what many of them take from a film, and of memory

Pictures: from the frame's arrival in the tap to the subscriber's last byte, by the times in the messages' headers, at
720p60 standing by, and while x265 has all cores. Snapshots: to the whole file in the subscriber's hands, standing by
and while 1080p24 with a LUT is recorded, from the tap and from the request. The frame may have come before the request,
by a frame time at most, or after it. Medians, and the 95th percentile of the pictures. Needs the release binary, or
CAMREC_BINARY.
"""
import argparse, json, os, pathlib, socket, statistics, struct, subprocess, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CAMREC = os.environ.get("CAMREC_BINARY", str(ROOT / ".build/release/camrec"))
HEADER = struct.Struct("<HBBIQqqqqqf4BIIHHIQ")


class Monitor:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.message()

    def take(self, count):
        data = bytearray()
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece: raise SystemExit("the recorder has gone")
            data += piece
        return bytes(data)

    def message(self):
        head = self.take(HEADER.size)
        fields = HEADER.unpack(head)
        self.take(fields[0] - HEADER.size)
        payload = self.take(fields[-1])
        return fields, payload

    def ask(self, **request): self.socket.sendall(json.dumps(request).encode() + b"\n")

    def answer(self):
        while True:
            fields, payload = self.message()
            if fields[2] == 0 and "ok" in (text := json.loads(payload)):
                if not text["ok"]: raise SystemExit(text)
                return text


def recorder(folder, *options):
    path = f"{folder}/cam.sock"
    process = subprocess.Popen(
        [CAMREC, "record", "--camera", "sim", "--standby", "--control", path, "--output", f"{folder}/film.mov",
         "--overwrite", *options],
        cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not os.path.exists(f"{folder}/cam.monitor"): time.sleep(0.05)
    return process, path


def control(path, *words):
    subprocess.run([CAMREC, "ctl", "--socket", path, *words], check=True, stdout=subprocess.DEVNULL)


def pictures(monitor, width, seconds):
    """Milliseconds from the tap to the last byte."""
    monitor.ask(do="pictures", subscription=1, width=width, rate=240)
    end, times = time.monotonic() + seconds + 2, []
    while time.monotonic() < end:
        fields, payload = monitor.message()
        if fields[2] != 1: continue
        times.append((time.monotonic_ns() - fields[7]) / 1e6)
        monitor.ask(do="used", subscription=1, sequence=fields[4])
    monitor.ask(do="end", subscription=1)
    return times[len(times) // 6:]


def snapshot(monitor, **options):
    """Milliseconds from the tap to the whole file, and from the request."""
    asked = time.monotonic_ns()
    monitor.ask(do="snapshot", subscription=9, **options)
    while True:
        fields, payload = monitor.message()
        if fields[2] == 0 and not json.loads(payload).get("ok", True): raise SystemExit(payload)
        if fields[2] == 3 and fields[16] & 16:
            now = time.monotonic_ns()
            return (now - fields[7]) / 1e6, (now - asked) / 1e6


def memory(process):
    """Megabytes of a process."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def subscribers(count, size, seconds):
    """A film, while so many look; two more take nothing of what they are sent, or send rubbish."""
    with tempfile.TemporaryDirectory() as folder:
        process, path = recorder(
            folder, "--size", size, "--fps", "24", "--lut", str(ROOT / "LUTs/log2709.cube"), "--preset", "ultrafast")
        control(path, "start")
        first = Monitor(f"{folder}/cam.monitor")
        first.ask(do="pictures", subscription=1, width=int(size.split("x")[0]), rate=2)
        while first.message()[0][2] != 1: pass
        time.sleep(2)
        before = memory(process)
        all = [Monitor(f"{folder}/cam.monitor") for _ in range(count)]
        for one in all: one.ask(do="pictures", subscription=1, width=int(size.split("x")[0]), rate=2)
        silent, mad = Monitor(f"{folder}/cam.monitor"), Monitor(f"{folder}/cam.monitor")
        silent.ask(do="pictures", subscription=1, width=16384, rate=240)
        end, most, seen = time.monotonic() + seconds, before, [0] * count
        mad.socket.setblocking(False)
        while time.monotonic() < end:
            for index, one in enumerate(all):
                fields, payload = one.message()
                if fields[2] != 1: continue
                seen[index] += 1
                one.ask(do="used", subscription=1, sequence=fields[4])
            for _ in range(100):
                try: mad.socket.send(os.urandom(40) + b"\n")
                except OSError: break
            most = max(most, memory(process))
        said = subprocess.run([CAMREC, "ctl", "--socket", path, "--json", "stop"], check=True, capture_output=True,
                              text=True).stdout
        process.terminate(); process.wait()
    ledger = json.loads(said)["ledger"]
    each = (most - before) / (count + 2)
    print(f"{count} subscribers of {size}, {min(seen)} to {max(seen)} pictures each: {each:.2f} MB "
          f"each at most; written {ledger['written']} of {ledger['expected']}, lost {ledger['lost']}")


def percentile(times, part): return sorted(times)[min(len(times) - 1, int(part * len(times)))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--subscribers", type=int, default=0)
    parser.add_argument("--size", default="640x360")
    asked = parser.parse_args()
    if asked.subscribers: return subscribers(asked.subscribers, asked.size, asked.seconds)
    lut = str(ROOT / "LUTs/log2709.cube")
    for name, load in (("720p60 standing by", []), ("720p60 while x265 has all cores", ["x265"])):
        with tempfile.TemporaryDirectory() as folder:
            process, path = recorder(folder, "--size", "1280x720", "--fps", "60")
            burner = subprocess.Popen(
                ["ffmpeg", "-v", "quiet", "-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=30", "-c:v", "libx265", "-f",
                 "null", "-"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) if load else None
            times = pictures(Monitor(f"{folder}/cam.monitor"), 1280, asked.seconds)
            if burner: burner.kill(); burner.wait()
            process.terminate(); process.wait()
        print(f"{name:34} {len(times):5} pictures  median {statistics.median(times):6.1f} ms  "
              f"p95 {percentile(times, 0.95):6.1f} ms", flush=True)
    for size, label in (("1920x1080", "1080p"), ("3840x2160", "2160p")):
        for films in (False, True):
            if films and label == "2160p": continue
            with tempfile.TemporaryDirectory() as folder:
                process, path = recorder(
                    folder, "--size", size, "--fps", "24", "--lut", lut, "--preset", "ultrafast")
                if films: control(path, "start")
                monitor = Monitor(f"{folder}/cam.monitor")
                snapshot(monitor, format="jpeg")
                for format in ("jpeg", "png"):
                    times = list(zip(*(snapshot(monitor, format=format) for _ in range(asked.runs))))
                    tap, request = (statistics.median(column) for column in times)
                    state = "1080p24 with LUT is recorded" if films else "standing by"
                    print(
                        f"snapshot {label} {format:4} {state:29} median {tap:6.1f} ms from the tap, {request:6.1f} ms "
                        f"from the request", flush=True)
                lost = None
                if films:
                    said = subprocess.run([CAMREC, "ctl", "--socket", path, "--json", "stop"], check=True,
                                          capture_output=True, text=True).stdout
                    lost = json.loads(said).get("ledger", {}).get("lost")
                    print(f"  lost meanwhile: {lost or 0}", flush=True)
                process.terminate(); process.wait()


if __name__ == "__main__": main()
