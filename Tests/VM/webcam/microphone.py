"""The webcam's microphone: silence and tone bursts, or a tone throughout, by a clock with a known error."""
import math
import struct
import time

from descriptors import MICROPHONE_RATE

PERIOD = 48  # samples of the 1 kHz tone
FRAME = 4    # bytes of a stereo sample
TONE = b"".join(
    struct.pack("<hh", value, value)
    for value in (round(8000 * math.sin(2 * math.pi * index / PERIOD)) for index in range(PERIOD)))


class Microphone:
    """Answers isochronous transfers: each packet carries the samples of one millisecond of the monotonic clock."""

    def __init__(self, link, flash, ppm):
        self.link = link
        self.flash = flash
        self.samples_per_packet = MICROPHONE_RATE / 1000 * (1 + ppm * 1e-6)
        self.transfers = []
        self.clock = None  # the time up to which sound has been sent; None while the host does not listen
        self.sent = 0
        self.owed = 0.0    # the part of a sample that the last packet left over
        self.muted = 0
        self.volume = 0

    def listen(self, on):
        self.clock = time.monotonic() if on else None

    def due(self):
        """When the oldest transfer is full."""
        if self.clock is None or not self.transfers:
            return None
        return self.clock + len(self.transfers[0].packets) * 1e-3

    def tick(self, now):
        while (due := self.due()) is not None and due <= now:
            transfer = self.transfers.pop(0)
            self.link.answer_packets(transfer, [self._packet() for _ in transfer.packets])
            if now - self.clock > 0.5:  # the host was away: sound of that time is lost, as with a real one
                self.clock = now

    def _packet(self):
        self.clock += 1e-3
        self.owed += self.samples_per_packet
        count = int(self.owed)
        self.owed -= count
        start = self.sent % PERIOD
        self.sent += count
        if self.muted or (self.flash.period and not self.flash.is_on(self.clock)):
            return bytes(count * FRAME)
        return (TONE * 3)[start * FRAME : (start + count) * FRAME]
