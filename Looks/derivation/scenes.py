"""Six scenes from published reflectances in daylight and tungsten light, before and after the look, as PNG.

The reflectances are colour-science's data sets: the BabelColor average of 30 ColorCheckers and the 99 samples of
CIE 224:2017. The scenes' shapes are drawn here, twice as large as the pictures and then averaged.
"""
import struct
import warnings
import zlib

import numpy as np

warnings.filterwarnings("ignore")  # colour-science names what it would need for functions that are not used here
import colour  # noqa: E402

import chain  # noqa: E402

WIDTH, HEIGHT, FINER = 1200, 800, 2
SHAPE = colour.SpectralShape(400, 700, 10)
CHECKER = colour.SDS_COLOURCHECKERS["BabelColor Average"]
NAMES = list(CHECKER)


def values(spectrum):
    return spectrum.copy().align(SHAPE).values


OBSERVER = values(colour.MSDS_CMFS["CIE 1931 2 Degree Standard Observer"])
PATCHES = {name: values(CHECKER[name]) for name in NAMES}


def daylight(kelvin):
    """A CIE daylight of a correlated colour temperature of 4000 to 25000 K."""
    return values(colour.sd_CIE_illuminant_D_series(colour.temperature.CCT_to_xy_CIE_D(kelvin)))


D55, TUNGSTEN = daylight(5500 * 1.4388 / 1.4380), values(colour.SDS_ILLUMINANTS["A"])


def tristimulus(spectrum):
    return spectrum @ OBSERVER


def balance(light):
    """XYZ to linear Display P3 for a camera whose white is this light; its white of reflectance 1 becomes 1."""
    white = tristimulus(light)
    target = chain.RGB_TO_XYZ @ np.ones(3)
    bradford = np.array(((0.8951, 0.2664, -0.1614), (-0.7502, 1.7135, 0.0367), (0.0389, -0.0685, 1.0296)))
    scale = (bradford @ target) / (bradford @ (white / white[1]))
    adapted = np.linalg.inv(bradford) @ (scale[:, None] * bradford) / white[1]
    return np.linalg.inv(chain.RGB_TO_XYZ) @ adapted


class Light:
    """A light as a camera of some white balance sees it."""

    def __init__(self, spectrum, white=None):
        self.spectrum = spectrum
        self.matrix = balance(spectrum if white is None else white * spectrum.sum() / white.sum())

    def on(self, reflectance):
        return tristimulus(reflectance * self.spectrum) @ self.matrix.T


# --- Drawing -------------------------------------------------------------------------------------------------------

def plane():
    """x from 0 to 1.5 and y from 0 to 1 downwards, at the centres of the fine pixels."""
    y, x = np.mgrid[0:HEIGHT * FINER, 0:WIDTH * FINER]
    return (x + 0.5) / (HEIGHT * FINER), (y + 0.5) / (HEIGHT * FINER)


def noise(seed, size, octaves=4):
    """Smooth noise about 0, sigma 1; size is the largest structure's, of the height."""
    random = np.random.Generator(np.random.PCG64(seed))
    white = np.fft.rfft2(random.standard_normal((HEIGHT * FINER, WIDTH * FINER)))
    fy = np.fft.fftfreq(HEIGHT * FINER)[:, None] * HEIGHT * FINER
    fx = np.fft.rfftfreq(WIDTH * FINER)[None] * HEIGHT * FINER
    f = np.hypot(fx, fy) * size
    shape = 1 / (1 + f * f) ** 0.85 * np.exp(-((f / 2 ** octaves) ** 2))
    field = np.fft.irfft2(white * shape, (HEIGHT * FINER, WIDTH * FINER))
    return field / field.std()


def lay(picture, mask, color):
    picture *= 1 - mask[..., None]
    picture += mask[..., None] * color


def sphere(x, y, cx, cy, radius, tall=1.0):
    """Mask and normals of an ellipsoid."""
    u, v = (x - cx) / radius, (y - cy) / (radius * tall)
    square = u * u + v * v
    mask = np.clip((1 - np.sqrt(square)) * radius * HEIGHT * FINER, 0, 1)
    return mask, u, v, np.sqrt(np.clip(1 - square, 0, 1))


def lambert(u, v, w, direction):
    direction = np.array(direction) / np.linalg.norm(direction)
    return np.clip(u * direction[0] + v * direction[1] + w * direction[2], 0, None)


def ball(picture, x, y, place, color, key, fill, direction=(-0.6, -0.6, 0.7), gloss=0.0, white=1.0, tall=1.0):
    mask, u, v, w = sphere(x, y, *place, tall=tall)
    shade = key * lambert(u, v, w, direction) + fill * (0.6 + 0.4 * w)
    half = np.array(direction) / np.linalg.norm(direction) + np.array((0, 0, 1))
    shine = gloss * lambert(u, v, w, half) ** 60
    lay(picture, mask, shade[..., None] * color + shine[..., None] * white)


def ramp(picture, x, y, box, color, low, high):
    """A strip in which the light rises from left to right by equal factors."""
    left, top, right, bottom = box
    mask = ((x >= left) & (x < right) & (y >= top) & (y < bottom)).astype(float)
    part = np.clip((x - left) / (right - left), 0, 1)
    lay(picture, mask, (low * (high / low) ** part)[..., None] * color)


def chart(picture, x, y, box, light, level):
    left, top, right, bottom = box
    w, h = (right - left) / 6, (bottom - top) / 4
    lay(picture, ((x >= left - w / 8) & (x < right + w / 8) & (y >= top - w / 8) & (y < bottom + w / 8)).astype(float),
        0.03 * level * light.on(np.ones(31)))
    for i, name in enumerate(NAMES):
        cx, cy = left + (i % 6) * w, top + (i // 6) * h
        inside = (x >= cx + w / 16) & (x < cx + w * 15 / 16) & (y >= cy + w / 16) & (y < cy + h - w / 16)
        lay(picture, inside.astype(float), level * light.on(PATCHES[name]))


# --- Scenes --------------------------------------------------------------------------------------------------------

def samples():
    from colour.quality.cfi2017 import load_TCS_CIE2017
    spectra = load_TCS_CIE2017(colour.SpectralShape(380, 780, 5)).copy().align(SHAPE)
    return spectra.values.T


def skin(x, y):
    light, all99 = Light(D55), samples()
    picture = np.zeros(x.shape + (3,))
    back = 0.10 + 0.05 * (1 - y) + 0.012 * noise(1, 0.3, 2)
    picture += back[..., None] * light.on(0.5 * PATCHES["foliage"] / 0.2 + 0.5 * PATCHES["neutral 5 (.70 D)"] / 0.2)
    tones = [PATCHES["dark skin"] * 0.55, PATCHES["dark skin"], all99[14], all99[17],
             PATCHES["light skin"], PATCHES["light skin"] * 1.25]
    for i, tone in enumerate(tones):
        cx, cy = 0.25 + 0.5 * (i % 3), 0.21 + 0.38 * (i // 3)
        ball(picture, x, y, (cx, cy, 0.135), light.on(tone), 1.15, 0.22, gloss=0.10, tall=1.28)
    ramp(picture, x, y, (0, 0.82, 1.5, 0.91), light.on(PATCHES["light skin"]), 0.02, 2.5)
    ramp(picture, x, y, (0, 0.91, 1.5, 1.0), light.on(PATCHES["dark skin"]), 0.06, 8)
    return picture


def foliage(x, y):
    light, sky = Light(D55), Light(daylight(11000), D55)
    picture = np.zeros(x.shape + (3,)) + 0.02 * light.on(PATCHES["foliage"])
    through = np.clip(noise(2, 0.25) - 0.7, 0, 1) * np.clip(1 - 1.6 * y, 0, 1)
    picture += (1.6 * through)[..., None] * sky.on(np.ones(31))
    random = np.random.Generator(np.random.PCG64(3))
    kinds = [PATCHES["foliage"], PATCHES["foliage"] * 0.8, PATCHES["yellow green"] * 0.7, PATCHES["green"] * 0.6,
             0.5 * PATCHES["foliage"] + 0.3 * PATCHES["yellow green"]]
    for i in range(900):
        depth = i / 900
        cx, cy = random.uniform(-0.05, 1.55), random.uniform(-0.05, 1.05)
        length = (0.02 + 0.05 * depth) * random.uniform(0.7, 1.3)
        angle, lit = random.uniform(0, np.pi), random.uniform(0.15, 1.0) ** 1.5
        left, right = max(0, int((cx - length) * HEIGHT * FINER)), int((cx + length) * HEIGHT * FINER) + 1
        top, bottom = max(0, int((cy - length) * HEIGHT * FINER)), int((cy + length) * HEIGHT * FINER) + 1
        sub = picture[top:bottom, left:right]
        if sub.size == 0:
            continue
        u, v = x[top:bottom, left:right] - cx, y[top:bottom, left:right] - cy
        along, across = u * np.cos(angle) + v * np.sin(angle), v * np.cos(angle) - u * np.sin(angle)
        edge = 0.38 * length * np.clip(1 - (along / length) ** 2, 0, 1)
        mask = np.clip((edge - np.abs(across)) * HEIGHT * FINER, 0, 1)
        shade = (0.25 + 0.9 * depth) * lit * (1 + 0.5 * across / np.maximum(edge, 1e-4)) + 0.04
        color = light.on(kinds[random.integers(len(kinds))])
        gloss = 0.10 * lit * np.exp(-((across / (0.12 * length)) ** 2)) * depth
        lay(sub, mask, shade[..., None] * color + gloss[..., None] * sky.on(np.ones(31)))
    for cx, cy, name in ((0.35, 0.62, "red"), (0.52, 0.70, "orange yellow"), (1.1, 0.55, "magenta"),
                         (1.23, 0.68, "purplish blue"), (0.8, 0.8, "white 9.5 (.05 D)")):
        ball(picture, x, y, (cx, cy, 0.045), light.on(PATCHES[name]), 0.95, 0.12, gloss=0.05)
    ramp(picture, x, y, (0, 0.92, 1.5, 0.96), light.on(PATCHES["foliage"]), 0.02, 8)
    ramp(picture, x, y, (0, 0.96, 1.5, 1.0), light.on(PATCHES["yellow green"]), 0.02, 3)
    return picture


def sky(x, y):
    camera = daylight(5600)
    height = np.clip(1 - y / 0.84, 0, 1)
    kelvins = np.geomspace(5600, 22000, 12)
    rows = np.array([Light(daylight(k), camera).on(np.ones(31)) for k in kelvins])
    at = np.log(6000) + np.log(20000 / 6000) * np.clip(height * 1.5, 0, 1) ** 0.6
    blue = np.stack([np.interp(at, np.log(kelvins), rows[:, k]) for k in range(3)], -1)
    sun = np.hypot(x - 1.22, y - 0.60)
    warm = Light(daylight(4800), camera).on(np.ones(31))
    picture = (0.14 + 0.50 * (1 - height) ** 2.5)[..., None] * blue
    glow = 0.30 * np.exp(-sun / 0.30) + 0.5 * np.exp(-sun / 0.10) + 8 * np.exp(-(sun / 0.03) ** 2)
    picture += glow[..., None] * warm
    thick = chain.smoothstep(0.2, 3.6, 0.2 + noise(5, 0.5, 5) + 0.9 * np.exp(-((y - 0.42) / 0.25) ** 2))
    lit = 0.72 + 0.40 * np.exp(-sun / 0.45) - 0.36 * thick
    white = Light(daylight(5400), camera).on(np.ones(31))
    lay(picture, 0.9 * thick * np.clip(3 * height, 0, 1), lit[..., None] * white)
    ridge = 0.84 + 0.02 * np.sin(5 * x) + 0.015 * np.sin(11 * x + 1)
    hill = np.clip((y - ridge) * HEIGHT * FINER, 0, 1)
    ground = (0.35 + 1.5 * np.clip(y - ridge, 0, 1)) * (1 + 0.2 * noise(6, 0.05, 4))
    lay(picture, hill, np.clip(ground, 0.02, None)[..., None] * Light(D55).on(PATCHES["foliage"]))
    return picture


def tungsten(x, y):
    lamp = Light(TUNGSTEN, values(colour.sd_blackbody(3800, SHAPE)))
    dusk = Light(daylight(9000), values(colour.sd_blackbody(3800, SHAPE)))
    distance = np.hypot(x - 1.08, y - 0.32)
    fall = 0.05 + 0.95 / (1 + (distance / 0.22) ** 2)
    wall = np.clip(fall * (1 + 0.02 * noise(7, 0.02, 3)), 0, None)
    picture = wall[..., None] * lamp.on(PATCHES["neutral 8 (.23 D)"] * 0.9)
    window = (x > 0.12) & (x < 0.42) & (y > 0.1) & (y < 0.5)
    lay(picture, window.astype(float), (0.10 + 0.12 * (0.5 - y))[..., None] * dusk.on(np.ones(31)))
    frame = window & ((np.abs(x - 0.27) < 0.008) | (np.abs(y - 0.3) < 0.008))
    lay(picture, frame.astype(float), 0.1 * lamp.on(PATCHES["white 9.5 (.05 D)"]))
    table = np.clip((y - 0.72) * HEIGHT * FINER, 0, 1)
    grain = 1 + 0.10 * np.sin(240 * y + 6 * noise(8, 0.2, 3))
    lay(picture, table, (0.9 * fall * grain)[..., None] * lamp.on(0.7 * PATCHES["orange"] + 0.3 * PATCHES["dark skin"]))
    shade = np.clip((0.10 - np.abs(x - 1.08) - 0.25 * (0.30 - y)) * HEIGHT * FINER, 0, 1) * ((y > 0.18) & (y < 0.40))
    lay(picture, shade, (1.1 + 2.2 * np.exp(-((y - 0.36) / 0.07) ** 2) * np.exp(-((x - 1.08) / 0.06) ** 2))[..., None]
        * lamp.on(PATCHES["white 9.5 (.05 D)"]))
    lay(picture, ((np.abs(x - 1.08) < 0.012) & (y >= 0.40) & (y < 0.72)).astype(float),
        0.3 * lamp.on(PATCHES["black 2 (1.5 D)"]) + 0.02)
    toward = (0.55, -0.45, 0.6)
    balls = ((0.18, "blue", 0.075, 0.3), (0.38, "red", 0.07, 0.4), (0.56, "light skin", 0.10, 0.08),
             (0.78, "green", 0.075, 0.3), (1.32, "yellow", 0.08, 0.3))
    for cx, name, size, gloss in balls:
        near = 0.10 + 0.95 / (1 + (abs(cx - 1.08) / 0.35) ** 2)
        ball(picture, x, y, (cx, 0.74 - size * 0.55, size), lamp.on(PATCHES[name]), 0.9 * near, 0.12 * near,
             toward if cx < 1.08 else (-0.55, -0.45, 0.6), gloss * near, lamp.on(np.ones(31)))
    return picture


def contrast(x, y):
    sun, shade = Light(D55), Light(daylight(7500), D55)
    picture = np.zeros(x.shape + (3,))
    inside = 0.035 + 0.02 * np.exp(-np.hypot(x - 0.55, y - 0.5) / 0.3)
    picture += inside[..., None] * shade.on(PATCHES["neutral 8 (.23 D)"])
    opening = (x > 0.3) & (x < 1.0) & (y > 0.08) & (y < 0.68)
    outside = (0.5 + 0.6 * (0.68 - y))[..., None] * Light(daylight(8000), D55).on(np.ones(31))
    far = np.clip((y - 0.48 - 0.03 * np.sin(9 * x)) * HEIGHT * FINER, 0, 1)
    outside = outside * (1 - far[..., None]) + (far * (0.9 + 0.15 * noise(9, 0.04)))[..., None] * sun.on(
        1.5 * PATCHES["foliage"])
    mask = opening.astype(float)
    lay(picture, mask, outside)
    beam = ((np.abs(x - 0.65 - 0.9 * (y - 0.68)) < 0.30) & (y >= 0.72)).astype(float)
    lay(picture, (y >= 0.72).astype(float), (0.05 + 1.05 * beam)[..., None] * sun.on(
        0.6 * PATCHES["orange"] + 0.2 * PATCHES["neutral 8 (.23 D)"]))
    chart(picture, x, y, (1.06, 0.14, 1.44, 0.42), shade, 0.28)
    ball(picture, x, y, (0.66, 0.66, 0.10), sun.on(PATCHES["light skin"]), 1.5, 0.07, (0.2, -0.8, 0.5), 0.6)
    ball(picture, x, y, (0.92, 0.74, 0.07), sun.on(PATCHES["white 9.5 (.05 D)"]), 1.6, 0.07, (-0.3, -0.8, 0.5), 0.8)
    ball(picture, x, y, (0.40, 0.74, 0.07), sun.on(PATCHES["blue"]), 1.6, 0.07, (0.4, -0.8, 0.5), 0.8)
    ramp(picture, x, y, (0, 0.94, 1.5, 1.0), sun.on(np.ones(31)), 0.001, 4)
    return picture


def shadow(x, y):
    light = Light(daylight(7000), D55)
    picture = np.zeros(x.shape + (3,))
    wall = 0.04 + 0.08 * np.exp(-np.hypot(x - 1.3, y - 0.1) / 0.5) + 0.002 * noise(10, 0.1, 3)
    picture += np.clip(wall, 0.001, None)[..., None] * light.on(PATCHES["neutral 6.5 (.44 D)"])
    chart(picture, x, y, (0.08, 0.10, 0.56, 0.44), light, 0.12)
    for i, name in enumerate(("dark skin", "light skin", "foliage", "blue", "red", "yellow")):
        ball(picture, x, y, (0.14 + 0.24 * i, 0.64, 0.09), light.on(PATCHES[name]), 0.30, 0.02, (0.6, -0.5, 0.5), 0.02)
    for i, name in enumerate(("neutral 8 (.23 D)", "light skin", "foliage", "blue sky")):
        ramp(picture, x, y, (0, 0.80 + 0.05 * i, 1.5, 0.85 + 0.05 * i), light.on(PATCHES[name]), 0.0005, 0.5)
    return picture


SCENES = dict(skin=skin, foliage=foliage, sky=sky, tungsten=tungsten, contrast=contrast, shadow=shadow)


def camera(linear):
    """A camera's roll-off of highlights: each channel by itself, from 0.7 on."""
    return np.where(linear > 0.7, 1 - 0.3 * np.exp(-(np.maximum(linear, 0.7) - 0.7) / 0.3), np.clip(linear, 0, None))


def render(name):
    x, y = plane()
    fine = camera(SCENES[name](x, y))
    return fine.reshape(HEIGHT, FINER, WIDTH, FINER, 3).mean((1, 3))


# --- Files ---------------------------------------------------------------------------------------------------------

# published: IEC 61966-2-1 primaries; the pictures are sRGB, so that every viewer shows them as meant.
SRGB = colour.RGB_COLOURSPACES["sRGB"].matrix_XYZ_to_RGB


def png(path, encoded):
    """Writes encoded Display P3 as an sRGB PNG."""
    linear = chain.decode(encoded) @ (SRGB @ chain.RGB_TO_XYZ).T
    codes = np.round(255 * chain.encode(np.clip(linear, 0, 1))).astype(np.uint8)
    rows = b"".join(b"\0" + row.tobytes() for row in codes)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    size = struct.pack(">IIBBBBB", codes.shape[1], codes.shape[0], 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"sRGB", b"\0")
                     + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b""))


def write(folder, look):
    folder.mkdir(parents=True, exist_ok=True)
    for name in SCENES:
        linear = render(name)
        png(folder / f"{name}-before.png", np.clip(chain.encode(linear), 0, 1))
        png(folder / f"{name}-after.png", look(linear))
        print(folder / f"{name}-after.png")
