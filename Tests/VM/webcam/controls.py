"""The webcam's controls: UVC 1.1, 4.2.2.1 (camera terminal) and 4.2.2.3 (processing unit)."""
import struct

# Ids of the video function's units, as descriptors.py declares them.
CAMERA, PROCESSING, OUTPUT = 1, 2, 3

# Requests (UVC 1.1, A.8).
SET_CUR, GET_CUR, GET_MIN, GET_MAX, GET_RES, GET_LEN, GET_INFO, GET_DEF = 0x01, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87

# Error codes (UVC 1.1, 4.2.1.2).
NOT_READY, WRONG_STATE, OUT_OF_RANGE, INVALID_CONTROL, INVALID_REQUEST = 1, 2, 4, 6, 7

MANUAL, APERTURE_PRIORITY = 1, 8


class Refused(Exception):
    """A control request that the device answers with a stall; `code` is what it says when asked why."""

    def __init__(self, code=INVALID_REQUEST):
        super().__init__(code)
        self.code = code


class Control:
    """One control. `bit`: its place in the unit's bmControls; `automatic`: the mode that owns it while that is on."""

    def __init__(self, name, unit, selector, bit, layout, minimum, maximum, step, default, automatic=None):
        self.name, self.unit, self.selector, self.bit = name, unit, selector, bit
        self.layout = "<" + layout
        self.minimum, self.maximum, self.step, self.default = minimum, maximum, step, default
        self.automatic = automatic
        self.current = default
        self.stalled = False

    def pack(self, value):
        return struct.pack(self.layout, *(value if isinstance(value, tuple) else (value,)))

    def unpack(self, data):
        values = struct.unpack(self.layout, data[: struct.calcsize(self.layout)])
        return values if len(values) > 1 else values[0]

    def allows(self, value):
        if self.name == "ae_mode":
            return value in (MANUAL, APERTURE_PRIORITY)
        return isinstance(value, tuple) or self.minimum <= value <= self.maximum


class Controls:
    """All of them, as they stand."""

    def __init__(self):
        self.all = [
            Control("ae_mode", CAMERA, 0x02, 1, "B", 1, 8, 0b1001, APERTURE_PRIORITY),
            Control("ae_priority", CAMERA, 0x03, 2, "B", 0, 1, 1, 0),
            Control("exposure", CAMERA, 0x04, 3, "I", 1, 5000, 1, 156, automatic="ae_mode"),  # 100 µs
            Control("focus", CAMERA, 0x06, 5, "H", 0, 250, 5, 0, automatic="focus_auto"),
            Control("focus_auto", CAMERA, 0x08, 17, "B", 0, 1, 1, 1),
            Control("zoom", CAMERA, 0x0B, 9, "H", 100, 500, 1, 100),
            Control("pantilt", CAMERA, 0x0D, 11, "ii", (-36000, -36000), (36000, 36000), (3600, 3600), (0, 0)),
            Control("backlight", PROCESSING, 0x01, 8, "H", 0, 1, 1, 0),
            Control("brightness", PROCESSING, 0x02, 0, "h", -64, 64, 1, 0),
            Control("contrast", PROCESSING, 0x03, 1, "H", 0, 64, 1, 32),
            Control("gain", PROCESSING, 0x04, 9, "H", 0, 255, 1, 16),  # 16 is unity
            Control("power_line", PROCESSING, 0x05, 10, "B", 0, 2, 1, 1),
            Control("saturation", PROCESSING, 0x07, 3, "H", 0, 128, 1, 64),
            Control("sharpness", PROCESSING, 0x08, 4, "H", 0, 6, 1, 3),
            Control("wb_temperature", PROCESSING, 0x0A, 6, "H", 2800, 6500, 10, 4600, automatic="wb_auto"),
            Control("wb_auto", PROCESSING, 0x0B, 12, "B", 0, 1, 1, 1),
        ]
        self.by_name = {control.name: control for control in self.all}

    def named(self, name):
        return self.by_name[name]

    def value(self, name):
        return self.by_name[name].current

    def bits(self, unit):
        """The unit's bmControls."""
        return sum(1 << control.bit for control in self.all if control.unit == unit)

    def is_automatic(self, control):
        if control.automatic is None:
            return False
        mode = self.value(control.automatic)
        return mode != MANUAL if control.automatic == "ae_mode" else mode != 0

    def request(self, request, unit, selector, data):
        """Answers a control request; returns (answer, (name, value) that was set, or None). Throws Refused."""
        control = next((each for each in self.all if (each.unit, each.selector) == (unit, selector)), None)
        if control is None:
            raise Refused(INVALID_CONTROL)
        if control.stalled:
            raise Refused(NOT_READY)
        if request == SET_CUR:
            value = control.unpack(data)
            if self.is_automatic(control):
                raise Refused(WRONG_STATE)
            if not control.allows(value):
                raise Refused(OUT_OF_RANGE)
            control.current = value
            return b"", (control.name, value)
        if request == GET_LEN:
            return struct.pack("<H", struct.calcsize(control.layout)), None
        if request == GET_INFO:
            # D0, D1: can be read and written; D2: an automatic mode owns it now; D3: moves by itself, so that the
            # driver asks again instead of remembering.
            automatic = 0b1000 if control.automatic else 0
            return bytes([0b011 | automatic | (0b100 if self.is_automatic(control) else 0)]), None
        answers = {
            GET_CUR: control.current, GET_MIN: control.minimum, GET_MAX: control.maximum,
            GET_RES: control.step, GET_DEF: control.default,
        }
        if request not in answers:
            raise Refused(INVALID_REQUEST)
        return control.pack(answers[request]), None
