"""The chain a second time, with colour-science, and what else has to hold of the look's files.

The second computation shares the numbers with the first, and nothing else. Colour spaces, transfer function, spectra,
interpolation, Oklab and colour difference are colour-science's; the tone curve, the solution for the dyes and the print
are written anew, one colour at a time and without a table.
"""
import math
import warnings

import numpy as np

warnings.filterwarnings("ignore")  # colour-science names what it would need for functions that are not used here
import colour  # noqa: E402
from colour.quality.cfi2017 import load_TCS_CIE2017  # noqa: E402

import e4050  # noqa: E402
import files  # noqa: E402
import portra_400 as look  # noqa: E402

P3 = colour.RGB_COLOURSPACES["Display P3"]
SHAPE = colour.SpectralShape(400, 700, 10)
OBSERVER = colour.MSDS_CMFS["CIE 1931 2 Degree Standard Observer"].copy().align(SHAPE)
D65 = colour.SDS_ILLUMINANTS["D65"].copy().align(SHAPE)
D55 = colour.SDS_ILLUMINANTS["D55"].copy().align(SHAPE)
CHECKER = {name: spectrum.copy().align(SHAPE) for name, spectrum in
           colour.SDS_COLOURCHECKERS["BabelColor Average"].items()}


# --- The second computation ----------------------------------------------------------------------------------------

def linear_p3(spectrum):
    """A reflectance in D65 as linear Display P3, adapted to the exact white of 1, 1, 1."""
    white = colour.sd_to_XYZ(colour.sd_ones(SHAPE), OBSERVER, D65) / 100
    xyz = colour.sd_to_XYZ(spectrum, OBSERVER, D65) / 100
    return colour.XYZ_to_RGB(xyz, P3, illuminant=colour.XYZ_to_xy(white), chromatic_adaptation_transform="Bradford")


def sensitivities():
    rows = (e4050.LOG_SENSITIVITY_RED, e4050.LOG_SENSITIVITY_GREEN, e4050.LOG_SENSITIVITY_BLUE)
    return np.array([[0 if value is None else colour.algebra.spow(10, value) for value in row] for row in rows])


def layer_exposures(spectrum):
    """What a reflectance in D55 exposes the three layers to, of what white does."""
    weights = sensitivities() * D55.values
    return weights @ spectrum.values / weights.sum(1)


def fitted_matrix():
    """LAYER_MATRIX again: rows sum to 1, and an entry that comes out negative is 0."""
    spectra = load_TCS_CIE2017(colour.SpectralShape(380, 780, 5)).copy().align(SHAPE).values.T
    sds = [colour.SpectralDistribution(values, SHAPE.wavelengths) for values in spectra]
    rgb, exposure = np.array([linear_p3(sd) for sd in sds]), np.array([layer_exposures(sd) for sd in sds])
    rows = []
    for k in range(3):
        free = [0, 1, 2]
        while True:
            weight = 1 / (exposure[:, k] + 0.02)
            last = free[-1]
            columns = np.stack([(rgb[:, c] - rgb[:, last]) * weight for c in free[:-1]], -1)
            found = np.linalg.lstsq(columns, (exposure[:, k] - rgb[:, last]) * weight, rcond=None)[0]
            row = np.zeros(3)
            row[free[:-1]], row[last] = found, 1 - found.sum()
            if row.min() >= 0:
                break
            free.remove(int(row.argmin()))
        rows.append(row)
    return np.array(rows)


class Negative:
    """The film, one colour at a time, with Sprague's interpolation of the published curves (CIE 167:2005)."""

    def __init__(self):
        products = (e4050.STATUS_M_PRODUCT_RED, e4050.STATUS_M_PRODUCT_GREEN, e4050.STATUS_M_PRODUCT_BLUE)
        base = 10 ** -np.array(e4050.MINIMUM_DENSITY)
        self.view = [np.array([0 if v is None else 10 ** v for v in product]) * base for product in products]
        self.view = [row / row.sum() for row in self.view]
        self.dyes = [
            np.array([math.exp(-0.5 * ((at - peak) / (short if at < peak else long)) ** 2)
                      for at in SHAPE.wavelengths])
            for peak, short, long in look.DYES]
        at = [e4050.LOG_EXPOSURE_FIRST + e4050.LOG_EXPOSURE_STEP * i for i in range(len(e4050.STATUS_M_RED))]
        samples = (e4050.STATUS_M_RED, e4050.STATUS_M_GREEN, e4050.STATUS_M_BLUE)
        self.first, self.last = at[0], at[-1]
        self.base = [row[0] for row in samples]
        self.curves = [colour.SpragueInterpolator(at, row) for row in samples]

    def neutral(self, k, log):
        """Status M density over the base of a grey, straight beyond the published ends."""
        inside = min(max(log, self.first), self.last)
        value = float(self.curves[k](inside)) - self.base[k]
        if log != inside:
            step = 1e-3 if inside == self.first else -1e-3
            value += (log - inside) * (float(self.curves[k](inside + step)) - float(self.curves[k](inside))) / step
        return value

    def exposed(self, k, density):
        low, high = self.first - 4, self.last + 4
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.neutral(k, middle) < density else (low, middle)
        return (low + high) / 2

    def densities(self, amounts):
        absorbed = sum(amount * dye for amount, dye in zip(amounts, self.dyes))
        return np.array([-math.log10(float(view @ 10 ** -absorbed)) for view in self.view])

    def dyes_of_grey(self, log):
        """Fixed-point: each dye answers for its own channel, until all three densities agree."""
        target = np.array([self.neutral(k, log) for k in range(3)])
        amounts = target.copy()
        for _ in range(200):
            error = target - self.densities(amounts)
            amounts = amounts + error
            if np.abs(error).max() < 1e-12:
                break
        return amounts

    def scanned(self, exposures):
        anchor = e4050.REFERENCE_LOG_EXPOSURE + look.OVEREXPOSURE * math.log10(2) - math.log10(look.MIDDLE_GREY)
        logs = [math.log10(max(e + look.FLARE, 1e-6)) + anchor for e in exposures]
        mean = math.log10(sum(10 ** (look.INTERLAYER_POWER * log) for log in logs) / 3) / look.INTERLAYER_POWER
        logs = [log + look.INTERLAYER * (log - mean) for log in logs]
        densities = self.densities([self.dyes_of_grey(logs[k])[k] for k in range(3)])
        seen = np.array([10 ** (self.exposed(k, densities[k]) - anchor) - look.FLARE for k in range(3)])
        correction = colour.algebra.lerp(look.SCAN_CORRECTION, np.identity(3), np.linalg.inv(look.LAYER_MATRIX))
        return correction @ seen


def encoded(linear):
    return np.sign(linear) * colour.cctf_encoding(np.abs(linear), function="sRGB")


def decoded(value):
    return np.sign(value) * colour.cctf_decoding(np.abs(value), function="sRGB")


def tone(value):
    """The tone curve from its polynomials, one for each interval."""
    points = look.CURVE
    secants = [(d - b) / (c - a) for (a, b), (c, d) in zip(points, points[1:])]
    widths = [c - a for (a, _), (c, _) in zip(points, points[1:])]
    slopes = [secants[0]]
    for i in range(1, len(points) - 1):
        w, v = 2 * widths[i] + widths[i - 1], widths[i] + 2 * widths[i - 1]
        slopes.append((w + v) / (w / secants[i - 1] + v / secants[i]))
    slopes.append(secants[-1])

    def one(x):
        if x <= points[0][0]:
            return points[0][1] + slopes[0] * (x - points[0][0])
        if x >= points[-1][0]:
            return points[-1][1] + slopes[-1] * (x - points[-1][0])
        i = max(j for j in range(len(secants)) if points[j][0] <= x)
        cubic = np.poly1d(((slopes[i] + slopes[i + 1] - 2 * secants[i]) / widths[i] ** 2,
                           (3 * secants[i] - 2 * slopes[i] - slopes[i + 1]) / widths[i], slopes[i], points[i][1]))
        return float(cubic(x - points[i][0]))
    return np.array([one(float(x)) for x in value])


def limited(value, low, high, room_below, room_above):
    def one(x):
        if x < low:
            return low - (low - x) / math.hypot(1, (low - x) / room_below)
        if x > high:
            return high + (x - high) / math.hypot(1, (x - high) / room_above)
        return x
    return np.array([one(float(x)) for x in value])


def half(at, reach):
    return 1 / (1 + (at / reach) ** 2)


def rising(start, end, at):
    return float(colour.algebra.smoothstep_function(at, start, end, clip=True))


def print_of(value):
    lightness, a, b = colour.XYZ_to_Oklab(P3.matrix_RGB_to_XYZ @ decoded(value))
    chroma, hue = colour.algebra.cartesian_to_polar([a, b])
    more, turn = 0, 0
    for center, concentration, change, degrees in look.PRINT_HUES:
        bump = math.exp(concentration * (math.cos(hue - math.radians(center)) - 1))
        more, turn = more + change * bump, turn + math.radians(degrees) * bump
    colourful = 1 - half(chroma, look.PRINT_CHROMA)
    middle, width, change, reach = look.SHADOW_CHROMA
    dim = change * math.exp(-((lightness - middle) / width) ** 2) * half(chroma, reach)
    point = colour.algebra.polar_to_cartesian(
        [chroma * (1 + colourful * more) * (1 + dim), hue + colourful * turn])
    middle, width, *tint, reach = look.SHADOW_TINT
    point = point + math.exp(-((lightness - middle) / width) ** 2) * half(chroma, reach) * np.array(tint)
    start, end, *tint, reach = look.HIGHLIGHT_TINT
    point = point + rising(start, end, lightness) * half(chroma, reach) * np.array(tint)
    linear = P3.matrix_XYZ_to_RGB @ colour.Oklab_to_XYZ([lightness, *point])
    return limited(encoded(linear), look.FLOOR, 1 - look.FLOOR, look.FLOOR, look.FLOOR)


def desaturate(value):
    start, end, amount = look.DESATURATION
    luma = float(P3.matrix_RGB_to_XYZ[1] @ value)
    return value + amount * rising(start, end, luma) * (luma - value)


def second(exposures, negative):
    """The look of a colour that exposes the layers to that: encoded Display P3."""
    seen = encoded(negative.scanned(exposures))
    seen = limited(seen, 0, 1, look.BEYOND_BLACK, look.BEYOND_WHITE)
    return desaturate(print_of(tone(seen)))


def shipped(linear, lut):
    """The files as any reader of .cube would apply them."""
    value = tone(np.clip(encoded(np.maximum(linear, 0) * 2 ** look.EXPOSURE), 0, 1))
    return desaturate(lut.apply(value, interpolator=colour.algebra.table_interpolation_tetrahedral))


def difference(one, other):
    white = colour.CCS_ILLUMINANTS["CIE 1931 2 Degree Standard Observer"]["D65"]
    labs = [colour.XYZ_to_Lab(P3.matrix_RGB_to_XYZ @ decoded(value), white) for value in (one, other)]
    return float(colour.delta_E(*labs, method="CIE 2000"))


def patches():
    """What the second computation makes of the 24 patches, as Tests/LooksTests/PortraTests.swift has it."""
    negative = Negative()
    for name, spectrum in CHECKER.items():
        linear = linear_p3(spectrum)
        result = second(np.array(look.LAYER_MATRIX) @ linear, negative)
        print('    ("%s", [%.7f, %.7f, %.7f], [%.6f, %.6f, %.6f]),' % (name.split(" (")[0], *linear, *result))


# --- What has to hold ----------------------------------------------------------------------------------------------

class Judge:
    def __init__(self):
        self.failed = 0

    def __call__(self, good, text):
        self.failed += not good
        print(("ok      " if good else "FAILED  ") + text)


def main(folder):
    judge = Judge()
    cube = folder / "portra-400.cube"
    current = (folder / "portra-400.yaml").read_text() == files.yaml() and cube.read_text() == files.cube()
    judge(current, "the files in Looks/ are what 'scripts/derive-look portra-400' writes")
    numbers(judge)
    computed_twice(judge, cube)
    own = files.look(cube)
    greys(judge, own)
    smoothness(judge, own)
    ramps(judge, own)
    hues(judge, own)
    print(f"{judge.failed} failed" if judge.failed else "all hold")
    return 1 if judge.failed else 0


def numbers(judge):
    error = np.abs(fitted_matrix() - look.LAYER_MATRIX).max()
    judge(error < 0.0005, f"the layers' matrix fitted again: at most {error:.4f} off, limit 0.0005")
    dyes = look.dye_spectra()
    sum_of = np.array(e4050.MIDSCALE_DENSITY) - e4050.MINIMUM_DENSITY

    def rms(spectra):
        amounts = np.linalg.lstsq(spectra.T, sum_of, rcond=None)[0]
        return math.sqrt(((amounts @ spectra - sum_of) ** 2).mean())

    kept, best = look.DYES, rms(dyes)
    shipped_rms = best
    for dye in range(3):
        for parameter in range(3 if dye else 2):
            for step in (-2, 2):
                moved = [list(row) for row in kept]
                moved[dye][parameter] += step
                look.DYES = moved
                best = min(best, rms(look.dye_spectra()))
    look.DYES = kept
    judge(shipped_rms < 0.012 and best > 0.97 * shipped_rms,
          f"the dyes' sum is {shipped_rms:.4f} D rms off E-4050; 2 nm more or less make it {best:.4f} at best")


def computed_twice(judge, cube):
    lut, negative, own = colour.read_LUT(str(cube)), Negative(), files.look(cube)
    same, spectral, readers = [], [], []
    print(f"{'patch':20}{'table':>8}{'spectra':>9}   delta E 2000 from the second computation")
    for name, spectrum in CHECKER.items():
        linear = linear_p3(spectrum)
        result = shipped(linear, lut)
        readers.append(np.abs(result - own(linear)).max())
        same.append(difference(result, second(np.array(look.LAYER_MATRIX) @ linear, negative)))
        spectral.append(difference(result, second(layer_exposures(spectrum), negative)))
        print(f"{name:20}{same[-1]:8.3f}{spectral[-1]:9.2f}")
    judge(np.mean(same) <= 1 and max(same) <= 3,
          f"24 patches: mean {np.mean(same):.3f}, max {max(same):.3f}; limits 1 and 3")
    print(f"        with the patches' spectra instead of the 3x3 matrix: mean {np.mean(spectral):.2f}, "
          f"max {max(spectral):.2f} (no limit)")
    judge(max(readers) < 1e-6, f"this script's chain and colour-science's reader agree within {max(readers):.1e}")


def greys(judge, own):
    ramp = own(decoded(np.linspace(0, 1, 4096))[:, None] * np.ones(3))
    steps = np.diff(ramp, axis=0) * 4095
    judge(steps.min() > 0.2, f"greys rise: slope {steps.min():.2f} to {steps.max():.2f} in any channel")
    black, white = ramp[0] * 255, ramp[-1] * 255
    print("        black %.1f %.1f %.1f, white %.1f %.1f %.1f of 255" % (*black, *white))
    judge(own.cube.min() >= 0 and own.cube.max() <= 1, f"the table holds {own.cube.min():.4f} to {own.cube.max():.4f}")


def smoothness(judge, own):
    """How much the slope changes from one cell to the next, in codes of 8 bits for the 4 codes of a step."""
    low, high = look.CURVE[0][1], look.CURVE[-1][1]
    first, last = int(low * (look.SIZE - 1)), math.ceil(high * (look.SIZE - 1)) + 1
    inner = own.cube[first:last, first:last, first:last]
    bends = np.concatenate([np.abs(np.diff(inner, n=2, axis=axis)).ravel() for axis in range(3)]) * 255
    judge(bends.max() < 2.5, f"second differences of the table, where the tone curve leads: max {bends.max():.2f}, "
                             f"99.9 % under {np.percentile(bends, 99.9):.2f} codes, limit 2.5")


def ramps(judge, own):
    """The 24 patches from 10 EV down to as bright as they can be: no channel falls or suddenly rises."""
    least, most = 1, 0
    for spectrum in CHECKER.values():
        linear = linear_p3(spectrum)
        ramp = encoded(linear / linear.max() * 2 ** np.linspace(-10, 0, 2000)[:, None])
        slope = np.diff(own(decoded(ramp)), axis=0) / np.diff(ramp, axis=0).max(1, keepdims=True)
        least, most = min(least, slope.min()), max(most, slope.max())
    judge(least > -0.1 and most < 1.6, f"24 patches from dark to bright: slopes {least:.2f} to {most:.2f}, "
                                        "limits -0.1 and 1.6")


def hues(judge, own):
    """Around rings of one lightness and chroma: by how much the hue turns for one degree."""
    slopes = []
    for lightness in (0.3, 0.45, 0.6, 0.75, 0.85):
        for chroma in (0.02, 0.04, 0.08, 0.12):
            ring = np.radians(np.arange(360))
            lab = np.stack([np.full(360, lightness), chroma * np.cos(ring), chroma * np.sin(ring)], -1)
            linear = colour.Oklab_to_XYZ(lab) @ P3.matrix_XYZ_to_RGB.T
            if linear.min() < 0 or linear.max() > 1:
                continue
            seen = colour.XYZ_to_Oklab(decoded(own(linear)) @ P3.matrix_RGB_to_XYZ.T)
            turned = np.degrees(np.arctan2(seen[:, 2], seen[:, 1]))
            slopes.append((np.diff(np.append(turned, turned[0])) + 180) % 360 - 180)
    slopes = np.array(slopes)
    judge(slopes.min() > 0.4 and slopes.max() < 2,
          f"hues keep their order on {len(slopes)} rings: {slopes.min():.2f} to {slopes.max():.2f} degrees for one, "
          "limits 0.4 and 2")
