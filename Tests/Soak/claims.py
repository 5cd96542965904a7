"""Claims that a judge counts, and what a process takes of the machine."""
import json
import os
import pathlib
import statistics
import sys
import threading
import time


class Claims:
    def __init__(self):
        self.made, self.broken = 0, []

    def check(self, holds, sentence):
        self.made += 1
        if not holds:
            self.broken.append(sentence)
            print(f"   not so: {sentence}", file=sys.stderr, flush=True)
        return holds

    def report(self, rows, path):
        """Prints the rows, pairs of a figure's name and what was measured, as a table, and keeps them as JSON where
        `path` is one."""
        print("| figure | measured |\n| --- | --- |")
        for row in rows:
            print("| {} | {} |".format(*row))
        if path:
            pathlib.Path(path).write_text(json.dumps({"rows": dict(rows), "broken": self.broken}) + "\n")

    def end(self):
        print(f"{self.made - len(self.broken)} of {self.made} claims hold")
        sys.exit(1 if self.broken or not self.made else 0)


class Watch(threading.Thread):
    """Reads twice a second what a process takes: resident memory in MiB, descriptors, threads."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.points, self.start_time, self.ends = pid, [], time.monotonic(), threading.Event()
        self.start()

    def run(self):
        while not self.ends.wait(0.5):
            try:
                status = open(f"/proc/{self.pid}/status").read()
                memory = int(status.split("VmRSS:")[1].split()[0]) / 1024
                threads = int(status.split("Threads:")[1].split()[0])
                self.points.append((
                    time.monotonic() - self.start_time, memory, len(os.listdir(f"/proc/{self.pid}/fd")), threads))
            except (OSError, IndexError):
                return

    def part(self, begin, end):
        """What was read between two shares of the time: (seconds, memory, descriptors, threads) each."""
        last = self.points[-1][0] if self.points else 0
        return [point for point in self.points if begin * last <= point[0] <= end * last] or self.points[-1:]

    def level(self, begin, end):
        """The medians there: memory, descriptors, threads."""
        return tuple(statistics.median(point[which] for point in self.part(begin, end)) for which in (1, 2, 3))

    def save(self, path):
        """All of it as CSV, for who looks for a reason."""
        lines = ["seconds,mebibytes,descriptors,threads"]
        lines += ["{:.1f},{:.1f},{},{}".format(*point) for point in self.points]
        pathlib.Path(path).write_text("\n".join(lines) + "\n")

    def slope(self):
        """MiB a minute, behind the first tenth of the time."""
        points = self.part(0.1, 1)
        if len(points) < 3:
            return 0.0
        return statistics.linear_regression([p[0] for p in points], [p[1] for p in points]).slope * 60
