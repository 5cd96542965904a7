"""The device at the end of the wire: answers what the host asks and sends pictures and sound when they are due."""
import collections
import json
import struct
import time

import descriptors
import usbip
from controls import (
    APERTURE_PRIORITY, GET_CUR, GET_DEF, GET_INFO, GET_LEN, GET_MAX, GET_MIN, GET_RES, SET_CUR, Controls, Refused)
from microphone import Microphone
from scene import GAIN_UNITY, Settings

PROBE, COMMIT = 1, 2         # selectors of the stream's controls (UVC 1.1, 4.3.1)
ERROR_CODE = 2               # selector of the interface's own control (UVC 1.1, 4.2.1.2)
MUTE, VOLUME = 1, 2          # selectors of the microphone's feature unit
PAYLOAD_HEADER = 6           # bytes before a picture (USB_Video_Payload_Uncompressed 1.1, 2.1)
END_OF_HEADER, HAS_TIME, END_OF_FRAME = 0x80, 0x04, 0x02
AE_TARGET = 0.42             # mean luma, of full scale, that the device's own exposure settles at


class Device:
    """A webcam, from being plugged in to being unplugged."""

    def __init__(self, link, arguments, sources, world, flash, log):
        self.link = link
        self.sources = sources
        self.world = world
        self.log_file = log
        self.controls = Controls()
        self.microphone = Microphone(link, flash, arguments.audio_ppm) if arguments.audio else None
        self.intervals = sorted(round(1e7 / float(rate)) for rate in arguments.rates.split(","))
        self.configuration = descriptors.configuration(sources, self.intervals, self.controls, arguments.audio)
        self.strings = {0: None, 1: "Test", 2: arguments.name, 3: arguments.serial}
        self.error_code = 0
        self.probe = self.default_probe = self._negotiate(1, 1, self.intervals[0])
        self.committed = None
        # The stream. Settings wait `latency` pictures before they show.
        self.settings = collections.deque(maxlen=arguments.latency + 1)
        self.video_transfers = collections.deque()
        self.status_transfers = collections.deque()
        self.next_picture = None
        self.interval = 0
        self.number = 0      # of pictures taken, also those that never left
        self.frame_id = 0    # toggles with each picture
        self.payload = b""
        self.position = 0
        self.sent = self.lost = 0
        # Faults.
        self.frozen = False
        self.skip = self.cut = 0

    def log(self, **entry):
        self.log_file.write(json.dumps({"t": round(time.monotonic(), 4), **entry}) + "\n")

    # MARK: the wire

    def serve(self):
        """Takes what has come from the host. Throws ConnectionError when the port is gone."""
        for message in self.link.receive():
            if isinstance(message, usbip.Unlink):
                self.link.answer_unlink(message, self._take_back(message.target))
            elif message.endpoint == 0:
                self._serve_control(message)
            elif message.endpoint == descriptors.VIDEO_IN:
                self.video_transfers.append(message)
                self._send_video()
            elif message.endpoint == descriptors.AUDIO_IN and self.microphone:
                self.microphone.transfers.append(message)
            elif message.endpoint == descriptors.STATUS_IN:
                self.status_transfers.append(message)
            else:
                self.link.answer(message, status=usbip.STALL)

    def _take_back(self, sequence):
        queues = [self.video_transfers, self.status_transfers]
        if self.microphone:
            queues.append(self.microphone.transfers)
        for queue in queues:
            for transfer in queue:
                if transfer.sequence == sequence:
                    queue.remove(transfer)
                    return True
        return False

    def patience(self):
        """Seconds until something is due; None while nothing is."""
        due = [self.next_picture, self.microphone.due() if self.microphone else None]
        due = [moment for moment in due if moment is not None]
        return max(0.0, min(due) - time.monotonic()) if due else None

    def tick(self, now):
        while self.next_picture is not None and now >= self.next_picture:
            self._take_picture(self.next_picture)
            self.next_picture += self.interval
        self._send_video()
        if self.microphone:
            self.microphone.tick(now)

    # MARK: requests

    def _serve_control(self, transfer):
        kind, request, value, index, length = struct.unpack("<BBHHH", transfer.setup)
        try:
            if kind & 0x60 == 0:
                answer = self._standard(request, value, index)
            elif kind & 0x1F == 2:  # the microphone's endpoint: its sampling rate, the only one
                answer = descriptors.MICROPHONE_RATE.to_bytes(3, "little") if request & 0x80 else b""
            else:
                answer = self._class_request(request, value >> 8, index >> 8, index & 0xFF, transfer.data)
            self.link.answer(transfer, answer[:length] if transfer.inward else b"")
        except Refused as refusal:
            self.error_code = refusal.code
            self.link.answer(transfer, status=usbip.STALL)

    def _standard(self, request, value, index):
        """USB 2.0, 9.4."""
        if request == 6:  # GET_DESCRIPTOR
            return self._descriptor(value >> 8, value & 0xFF)
        if request == 11:  # SET_INTERFACE
            if index == descriptors.AUDIO_STREAM and self.microphone:
                self.microphone.listen(value != 0)
                self.log(microphone=value)
            return b""
        if request == 1:  # CLEAR_FEATURE: the host ends a bulk stream so
            if index == descriptors.IN | descriptors.VIDEO_IN:
                self._stop()
            return b""
        answers = {0: b"\0\0", 3: b"", 8: b"\1", 9: b"", 10: b"\0"}
        if request not in answers:
            raise Refused()
        return answers[request]

    def _descriptor(self, kind, index):
        if kind == descriptors.DEVICE:
            return descriptors.device()
        if kind == descriptors.CONFIGURATION:
            return self.configuration
        if kind == descriptors.QUALIFIER:
            return descriptors.qualifier()
        if kind == descriptors.STRING and index in self.strings:
            return descriptors.string(self.strings[index])
        raise Refused()

    def _class_request(self, request, selector, unit, interface, data):
        if interface == descriptors.AUDIO_CONTROL and self.microphone:
            return self._microphone_request(request, selector, data)
        if interface == descriptors.VIDEO_STREAM:
            return self._stream_request(request, selector, data)
        if interface != descriptors.VIDEO_CONTROL:
            raise Refused()
        if unit == 0 and selector == ERROR_CODE and request == GET_CUR:
            return bytes([self.error_code])
        answer, change = self.controls.request(request, unit, selector, data)
        self.error_code = 0
        if change:
            self.log(set=change[0], value=change[1])
        return answer

    def _microphone_request(self, request, selector, data):
        if selector not in (MUTE, VOLUME):
            raise Refused()
        if request == SET_CUR:
            value = int.from_bytes(data, "little", signed=True)
            if selector == MUTE:
                self.microphone.muted = value
            else:
                self.microphone.volume = value
            return b""
        volumes = {GET_CUR: self.microphone.volume, GET_MIN: -4096, GET_MAX: 0, GET_RES: 256}  # 1/256 dB
        if request not in volumes:
            raise Refused()
        return bytes([self.microphone.muted]) if selector == MUTE else struct.pack("<h", volumes[request])

    def _stream_request(self, request, selector, data):
        if selector not in (PROBE, COMMIT):
            raise Refused()
        if request == SET_CUR:
            _, source, frame, interval = struct.unpack_from("<HBBI", data)
            self.probe = self._negotiate(source, frame, interval)
            if selector == COMMIT:
                self.committed = self.probe
                self._start()
            return b""
        if request == GET_LEN:
            return descriptors.word(34)
        if request == GET_INFO:
            return b"\x03"
        if request == GET_DEF:
            return self.default_probe
        return self.committed if selector == COMMIT and self.committed else self.probe

    def _negotiate(self, source, frame, interval):
        """The video probe nearest to what the host wants (UVC 1.1, table 4-47)."""
        source = source if 1 <= source <= len(self.sources) else 1
        sizes = self.sources[source - 1].sizes
        frame = min(max(frame, 1), len(sizes))
        interval = min(self.intervals, key=lambda each: abs(each - interval)) if interval else self.intervals[0]
        size = sizes[frame - 1][0] * sizes[frame - 1][1] * 2
        return struct.pack("<HBBI5H3I4B", 0, source, frame, interval, 0, 0, 0, 0, 32, size, size + 12,
                           descriptors.CLOCK, 3, 0, 0, 0)

    # MARK: pictures

    def _start(self):
        _, source, frame, interval = struct.unpack_from("<HBBI", self.committed)
        self.source = self.sources[source - 1]
        self.size = self.source.sizes[frame - 1]
        self.interval = interval / 1e7
        # Pictures are taken at multiples of the interval, so that a flash begins with a picture.
        self.next_picture = (time.monotonic() // self.interval + 1) * self.interval
        self.payload, self.position = b"", 0
        self.settings.clear()
        encoding = "MJPG" if self.source.is_jpeg else "YUYV"
        self.log(stream=1, format=encoding, size=self.size, rate=round(1 / self.interval, 2))

    def _stop(self):
        if self.next_picture is not None:
            self.next_picture = None
            self.log(stream=0, sent=self.sent, lost=self.lost)

    def _take_picture(self, moment):
        self.number += 1
        settings = self._settings()
        if self.frozen:
            return
        if self.skip:
            self.skip -= 1
            self.lost += 1
            return
        if self.position < len(self.payload) or not self.video_transfers:
            self.lost += 1  # the host has not taken the last one
            return
        picture = self.source.picture(*self.size, settings, self.number, moment)
        if self.cut:
            self.cut -= 1
            picture = picture[: len(picture) // 2]
            self.log(cut=self.number)
        self.frame_id ^= 1
        flags = END_OF_HEADER | HAS_TIME | END_OF_FRAME | self.frame_id
        stamp = int(moment * descriptors.CLOCK) & 0xFFFFFFFF
        self.payload = struct.pack("<BBI", PAYLOAD_HEADER, flags, stamp) + picture
        self.position = 0
        self.sent += 1

    def _send_video(self):
        while self.video_transfers and self.position < len(self.payload):
            transfer = self.video_transfers.popleft()
            piece = self.payload[self.position : self.position + transfer.length]
            self.position += len(piece)
            self.link.answer(transfer, piece)

    def _settings(self):
        """Lets the automatic modes act, and returns what this picture is taken with."""
        value = self.controls.value
        if value("ae_mode") == APERTURE_PRIORITY:  # settles by a quarter per picture
            exposure = self.controls.named("exposure")
            wanted = AE_TARGET / max(1e-6, self.world.light * 0.01 * value("gain") / GAIN_UNITY)
            longest = exposure.maximum if value("ae_priority") else self.interval * 1e4
            step = (wanted - exposure.current) / 4
            exposure.current = int(max(exposure.minimum, min(longest, exposure.current + step + 0.5)))
        if value("wb_auto"):
            self.controls.named("wb_temperature").current = max(2800, min(6500, self.world.illuminant))
        if value("focus_auto"):
            self.controls.named("focus").current = self.world.best_focus
        self.settings.append(Settings(
            min(value("exposure"), self.interval * 1e4), value("gain"), value("focus"), value("wb_temperature"),
            value("brightness"), value("saturation")))
        return self.settings[0]
