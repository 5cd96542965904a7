"""The look portra-400: its numbers, and what its table is computed from.

Each number is marked: published (it stands in the source named there), measured (fitted to published figures, and
'scripts/derive-look --check' fits it again), artistic (chosen by eye on the six scenes).
"""
import numpy as np

import e4050
from chain import Monotone, beyond, decode, encode, fading, from_oklab, oklab, smoothstep

# --- The numbers ---------------------------------------------------------------------------------------------------

NAME, TITLE, VERSION = "portra-400", "Portra 400", 1
SIZE = 64  # artistic: points along each edge of the table; the distance between two is 4 code values of 8 bits

# artistic: the tone curve's points, encoded in, encoded out.
CURVE = ((0, 0.03), (0.15, 0.12), (0.5, 0.48), (0.85, 0.82), (1, 0.97))
EXPOSURE = 0.0  # artistic: EV, before anything else
DESATURATION = (0.75, 1.0, 0.35)  # artistic: luma where it begins and where it is full, amount
GRAIN = (0.04, "1/3000")  # artistic: intensity, sigma of the shorter side; Kodak publishes no granularity

# measured: linear Display P3 (columns R, G, B) to the exposure of the red, green and blue layers. Least squares over
# the 99 reflectances of CIE 224:2017, lit by D55 for the film and by D65 for Display P3: in relative error (over
# 0.02 of white), no entry below 0, white to 1.
LAYER_MATRIX = ((0.8340, 0.0348, 0.1312), (0.0257, 0.8495, 0.1248), (0.0025, 0.0000, 0.9975))

MIDDLE_GREY = 0.18  # published: Kodak Gray Card, publication R-27: the reflectance of its grey side
OVEREXPOSURE = 1.0  # artistic: EV over E-4050's reference exposure; portraitists rate the film at 200
FLARE = 0.005  # artistic: light that the lens scatters onto the whole film, of diffuse white

# measured: each dye's spectrum as a lobe: peak, width on the short and on the long side (nm). Fitted to the difference
# of E-4050's two densities (rms 0.011 D). That difference holds what the coloured couplers give back, so the lobes
# have no floor. Which dye absorbs what is artistic: Kodak publishes only the sum. So is cyan's long side, beyond it.
DYES = ((707.5, 77.0, 60.0), (544.5, 38.5, 26.5), (451.5, 50.0, 33.5))  # cyan, magenta, yellow

# artistic: the most exposed layer holds back the other two. A layer's log exposure moves away from the power mean (of
# this exponent) of all three by this part of the distance.
INTERLAYER, INTERLAYER_POWER = 0.05, 3
SCAN_CORRECTION = 0.4  # artistic: how much of LAYER_MATRIX the scanner's colour matrix takes back: 0 nothing, 1 all

# artistic: colours beyond black and white bend into this distance instead of clipping, in encoded units.
BEYOND_BLACK, BEYOND_WHITE = 0.03, 0.03
FLOOR = 0.03  # artistic: where a printed colour begins to bend towards 0, encoded; as much below 1

# artistic: the print, in Oklab. Hue in degrees, concentration of the bump around it, chroma gain - 1, turn in degrees.
PRINT_HUES = (
    (15, 3, -0.02, -4.0),  # reds: back from orange
    (140, 3, -0.08, -1.0),  # greens: muted
    (205, 3, 0.05, -10.0),  # cyans: back from blue
    (255, 5, 0.00, -4.0),  # sky: a little towards cyan
)
PRINT_CHROMA = 0.03  # artistic: chroma at which half of that applies; near grey the print turns nothing
# artistic: the tints' lightness (of the shadows: middle and width; of the highlights: begin and full), a, b, and the
# chroma at which half of the tint is left, so that skin stays warm in its shadows and yellow keeps its own hue.
SHADOW_TINT = (0.12, 0.18, -0.0045, -0.0070, 0.03)
HIGHLIGHT_TINT = (0.66, 1.00, 0.0015, 0.0130, 0.08)
# artistic: lightness of the middle, width, gain - 1, and the chroma at which half of it is left: gives back what the
# toe of the tone curve took of dim colours.
SHADOW_CHROMA = (0.15, 0.25, 0.35, 0.06)


TONE = Monotone(*zip(*CURVE))


# --- The film ------------------------------------------------------------------------------------------------------

def power(logarithms):
    """10 to each of them, 0 for None."""
    return np.array([0.0 if value is None else 10 ** value for value in logarithms])


def dye_spectra():
    """Three dyes (cyan, magenta, yellow) by wavelength, each 1 at its peak."""
    at = np.array(e4050.WAVELENGTHS, float)
    return np.array([np.exp(-0.5 * ((at - peak) / np.where(at < peak, short, long)) ** 2)
                     for peak, short, long in DYES])


def along(at, x, y):
    """Straight lines through (x, y), continued beyond both ends."""
    i = np.clip(np.searchsorted(x, at) - 1, 0, len(x) - 2)
    return y[i] + (at - x[i]) * (y[i + 1] - y[i]) / (x[i + 1] - x[i])


class Film:
    """Exposes three layers, develops three dyes, and scans the negative through the base."""

    def __init__(self):
        self.dyes = dye_spectra()
        weights = np.array([power(product) for product in (
            e4050.STATUS_M_PRODUCT_RED, e4050.STATUS_M_PRODUCT_GREEN, e4050.STATUS_M_PRODUCT_BLUE)])
        through = weights * 10 ** -np.array(e4050.MINIMUM_DENSITY)
        self.view = through / through.sum(1, keepdims=True)
        samples = np.array((e4050.STATUS_M_RED, e4050.STATUS_M_GREEN, e4050.STATUS_M_BLUE))
        steps = samples.shape[1] - 1
        first, last = e4050.LOG_EXPOSURE_FIRST, e4050.LOG_EXPOSURE_FIRST + e4050.LOG_EXPOSURE_STEP * steps
        curves = [Monotone(np.linspace(first, last, steps + 1), row) for row in samples]
        # What greys of each log exposure become: densities over the least exposed film, and the dyes that give them.
        self.exposures = np.linspace(first, last, 20 * steps + 1)
        self.densities = np.stack([curve(self.exposures) - curve(first) for curve in curves], -1)
        self.amounts = self.solve(self.densities)

    def density(self, amounts):
        """Status M densities over the base, of amounts of cyan, magenta and yellow dye."""
        return -np.log10(10 ** -(amounts @ self.dyes) @ self.view.T)

    def solve(self, densities):
        """The amounts of dye of which density() is that, by Newton's method."""
        amounts, step = densities.copy(), 1e-5
        for _ in range(30):
            error = self.density(amounts) - densities
            slope = np.stack([(self.density(amounts + step * dye) - self.density(amounts - step * dye)) / (2 * step)
                              for dye in np.eye(3)], -1)
            amounts = amounts - np.linalg.solve(slope, error[..., None])[..., 0]
        return amounts

    def scan(self, linear):
        """What the scan of the negative shows of linear Display P3 light, linear too; greys stay as they are."""
        layers = np.array(LAYER_MATRIX)
        # Middle grey's log exposure; light of 1 is as much over it.
        anchor = e4050.REFERENCE_LOG_EXPOSURE + OVEREXPOSURE * np.log10(2) - np.log10(MIDDLE_GREY)
        logs = np.log10(np.maximum(linear @ layers.T + FLARE, 1e-6)) + anchor
        mean = np.log10((10 ** (INTERLAYER_POWER * logs)).mean(-1, keepdims=True)) / INTERLAYER_POWER
        logs = logs + INTERLAYER * (logs - mean)
        amounts = np.stack([along(logs[..., k], self.exposures, self.amounts[:, k]) for k in range(3)], -1)
        densities = self.density(amounts)
        logs = np.stack([along(densities[..., k], self.densities[:, k], self.exposures) for k in range(3)], -1)
        correction = (1 - SCAN_CORRECTION) * np.eye(3) + SCAN_CORRECTION * np.linalg.inv(layers)
        return (10 ** (logs - anchor) - FLARE) @ correction.T


# --- The print -----------------------------------------------------------------------------------------------------

def bend(encoded):
    """Colours beyond black and white keep their order and stay within a short distance of both."""
    return (np.clip(encoded, 0, 1) + beyond(np.minimum(encoded, 0), BEYOND_BLACK)
            + beyond(np.maximum(encoded - 1, 0), BEYOND_WHITE))


def printed(encoded):
    """Turns of hue, gains of chroma, and the tints of shadows and highlights; encoded to encoded."""
    lab = oklab(decode(encoded))
    lightness, chroma, hue = lab[..., 0], np.hypot(lab[..., 1], lab[..., 2]), np.arctan2(lab[..., 2], lab[..., 1])
    gain, turn = np.zeros_like(hue), np.zeros_like(hue)
    for center, concentration, change, degrees in PRINT_HUES:
        bump = np.exp(concentration * (np.cos(hue - np.radians(center)) - 1))
        gain, turn = gain + change * bump, turn + np.radians(degrees) * bump
    part = 1 - fading(chroma, PRINT_CHROMA)

    middle, width, shadow_a, shadow_b, reach = SHADOW_TINT
    shadow = np.exp(-((lightness - middle) / width) ** 2) * fading(chroma, reach)
    start, end, highlight_a, highlight_b, reach = HIGHLIGHT_TINT
    highlight = smoothstep(start, end, lightness) * fading(chroma, reach)
    middle, width, change, reach = SHADOW_CHROMA
    dim = 1 + change * np.exp(-((lightness - middle) / width) ** 2) * fading(chroma, reach)

    chroma, hue = chroma * (1 + part * gain) * dim, hue + part * turn
    a = chroma * np.cos(hue) + shadow * shadow_a + highlight * highlight_a
    b = chroma * np.sin(hue) + shadow * shadow_b + highlight * highlight_b
    result = encode(from_oklab(np.stack((lightness, a, b), -1)))
    return (np.clip(result, FLOOR, 1 - FLOOR) + beyond(np.minimum(result - FLOOR, 0), FLOOR)
            + beyond(np.maximum(result - 1 + FLOOR, 0), FLOOR))


def graded(encoded, film):
    """What the table holds at a colour that went through the tone curve: the film sees the light from before it."""
    seen = film.scan(decode(TONE.inverse(encoded)))
    return printed(TONE(bend(encode(seen))))


def table():
    """The look's table, [blue, green, red, channel]."""
    edge = np.linspace(0, 1, SIZE)
    blue, green, red = np.meshgrid(edge, edge, edge, indexing="ij")
    return graded(np.stack((red, green, blue), -1), Film())
