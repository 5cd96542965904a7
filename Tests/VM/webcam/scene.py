"""What the webcam sees: a scene that answers to the controls (YUYV), or a strip of ready pictures (MJPEG)."""
import os
from dataclasses import dataclass

GAIN_UNITY = 16
FLASH_LIGHT = 50


@dataclass
class World:
    """What stands before the lens. light: 1 is a scene that 10 ms at unity gain puts at full scale on average."""
    light: float
    illuminant: int
    best_focus: int


@dataclass
class Settings:
    """What one picture is taken with."""
    exposure: float  # 100 µs
    gain: int
    focus: int
    wb_temperature: int
    brightness: int
    saturation: int


def rec709(light):
    """The transfer function of BT.709, item 1.2."""
    return 4.5 * light if light < 0.018 else 1.099 * light ** 0.45 - 0.099


class Flash:
    """Light and tone for 100 ms at every multiple of `period` seconds on the monotonic clock."""

    def __init__(self, period):
        self.period = period

    def is_on(self, time):
        # A microsecond's grace: picture times are multiples of their interval, give or take rounding.
        return bool(self.period) and (time + 1e-6) % self.period < 0.1


class Scene:
    """A ramp of 16 steps with fine texture, in YUYV; a 16-bit frame counter in blocks of 4×4 at the top left."""
    is_jpeg = False

    def __init__(self, sizes, world, flash, transfer="linear"):
        self.sizes = sizes
        self.encode = rec709 if transfer == "rec709" else lambda light: light
        self.world = world
        self.flash = flash
        self.codes = {}  # per size: high nibble the step of the ramp, low bit the texture
        self.last = None

    def picture(self, width, height, settings, number, time):
        light = FLASH_LIGHT if self.flash.is_on(time) else self.world.light
        brightness = light * settings.exposure * 1e-2 * settings.gain / GAIN_UNITY
        sharpness = max(0.0, 1 - abs(settings.focus - self.world.best_focus) / 80)
        table = bytearray(256)
        for code in range(256):
            texture = 1 + (0.4 if code & 1 else -0.4) * sharpness
            light = (0.3 + 1.4 * (code >> 4) / 15) * texture * brightness
            luma = 16 + 219 * self.encode(max(0.0, light)) + settings.brightness
            table[code] = max(16, min(235, int(luma + 0.5)))
        key = (width, height, bytes(table), settings.wb_temperature, settings.saturation)
        if self.last is None or self.last[0] != key:
            shift = (settings.wb_temperature - self.world.illuminant) / 100 * settings.saturation / 64
            pixels = bytearray(width * height * 2)
            pixels[0::2] = self._codes(width, height).translate(bytes(table))
            pixels[1::4] = bytes([max(16, min(240, int(128 - shift + 0.5)))]) * (width * height // 2)
            pixels[3::4] = bytes([max(16, min(240, int(128 + shift + 0.5)))]) * (width * height // 2)
            self.last = (key, pixels)
        pixels = bytearray(self.last[1])
        for bit in range(16):
            block = bytes([235 if number >> bit & 1 else 16, 128]) * 4
            for row in range(4):
                start = (row * width + bit * 4) * 2
                pixels[start : start + 8] = block
        return bytes(pixels)

    def _codes(self, width, height):
        if (width, height) not in self.codes:
            steps = [min(15, x * 16 // width) << 4 for x in range(width)]
            even = bytes(step | (x >> 1 & 1) for x, step in enumerate(steps))
            odd = bytes(step | (x >> 1 & 1 ^ 1) for x, step in enumerate(steps))
            self.codes[width, height] = b"".join(odd if y >> 1 & 1 else even for y in range(height))
        return self.codes[width, height]


class Strip:
    """Pictures from DIR/WxH/: dark-N.jpg, or lit-N.jpg while the flash is on, N counting round."""
    is_jpeg = True

    def __init__(self, directory, flash):
        self.flash = flash
        self.pictures = {}
        for name in os.listdir(directory):
            width, height = map(int, name.split("x"))
            self.pictures[width, height] = [
                self._load(os.path.join(directory, name), kind) for kind in ("dark-", "lit-")]
        self.sizes = sorted(self.pictures)

    def picture(self, width, height, settings, number, time):
        pictures = self.pictures[width, height][self.flash.is_on(time)]
        return pictures[number % len(pictures)]

    @staticmethod
    def _load(directory, prefix):
        pictures = []
        for name in sorted(os.listdir(directory)):
            if name.startswith(prefix):
                with open(os.path.join(directory, name), "rb") as file:
                    pictures.append(file.read())
        return pictures
