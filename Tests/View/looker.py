"""A program that looks through a recorder's monitor socket (Documentation/MonitorProtocol.md) and remembers when it had
which frame."""
import json
import socket
import struct
import threading
import time

HEADER = struct.Struct("<HBBIQqqqqqf4BIIHHIQ")


class Looker:
    """The frames of a recorder, as it counts them, and when each was there to be looked at."""

    def __init__(self, path):
        self.link = socket.socket(socket.AF_UNIX)
        self.link.connect(path)
        self.taps, self.lock = {}, threading.Condition()
        self.ask(do="pictures", subscription=1, width=64, rate=240, quality=1)
        threading.Thread(target=self.read, daemon=True).start()

    def ask(self, **request):
        self.link.sendall(json.dumps(request).encode() + b"\n")

    def read(self):
        try:
            stream = self.link.makefile("rb")
            while len(start := stream.read(HEADER.size)) == HEADER.size:
                length, _, kind, subscription, sequence, frame, _, tap, *_, size = HEADER.unpack(start)
                stream.read(length - HEADER.size + size)
                if kind == 1:
                    with self.lock:
                        self.taps[frame] = tap
                        self.lock.notify_all()
                    self.ask(do="used", subscription=subscription, sequence=sequence)
        except OSError:
            pass  # the recorder is gone

    def newest(self, at):
        """The newest frame that was there at a time of time.monotonic_ns(); waits until a later one is known."""
        with self.lock:
            self.lock.wait_for(lambda: any(tap > at for tap in self.taps.values()), timeout=60)
            return max((frame for frame, tap in self.taps.items() if tap <= at), default=None)

    def close(self):
        try:
            self.link.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def pretend(path, version):
    """A monitor that greets with another version of the protocol; a thread of its own, one subscriber."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(1)

    def greet():
        remote, _ = listener.accept()
        text = json.dumps({"camrec": "9.9.9", "monitor": version, "pid": 1, "name": "late"}).encode()
        now = time.monotonic_ns()
        remote.sendall(HEADER.pack(88, 1, 0, 0, 1, -1, 0, 0, now, 0, 0, 2, 0, 2, 2, 15, 0, 0, 0, 0, len(text)) + text)
        time.sleep(1)
        remote.close()

    threading.Thread(target=greet, daemon=True).start()
