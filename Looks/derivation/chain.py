"""What every look goes through: colour spaces, the tone curve, the table, the desaturation of highlights.

Colours are arrays whose last axis holds R, G, B. "Linear" is Display P3 light, 1 at diffuse white; "encoded" is the
same through the sRGB transfer function.
"""
import numpy as np

# published: SMPTE RP 431-2 primaries with the white of D65, as Display P3 (SMPTE EG 432-1).
PRIMARIES = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
WHITE = (0.3127, 0.3290)

# published: Bjorn Ottosson, "A perceptual color space for image processing", 2020.
XYZ_TO_CONES = np.array((
    (0.8189330101, 0.3618667424, -0.1288597137),
    (0.0329845436, 0.9293118715, 0.0361456387),
    (0.0482003018, 0.2643662691, 0.6338517070)))
CONES_TO_LAB = np.array((
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660)))


# --- Colour spaces -------------------------------------------------------------------------------------------------

def xyz_from_rgb():
    """Linear Display P3 to XYZ, Y of white 1."""
    columns = np.array([(x / y, 1, (1 - x - y) / y) for x, y in PRIMARIES]).T
    white = np.array((WHITE[0] / WHITE[1], 1, (1 - WHITE[0] - WHITE[1]) / WHITE[1]))
    return columns * np.linalg.solve(columns, white)


RGB_TO_XYZ = xyz_from_rgb()
RGB_TO_CONES = XYZ_TO_CONES @ RGB_TO_XYZ
LUMA = RGB_TO_XYZ[1]


def decode(encoded):
    """The sRGB transfer function's inverse, odd about 0."""
    size = np.abs(encoded)
    return np.sign(encoded) * np.where(size <= 0.04045, size / 12.92, ((size + 0.055) / 1.055) ** 2.4)


def encode(linear):
    """The sRGB transfer function, odd about 0."""
    size = np.abs(linear)
    return np.sign(linear) * np.where(
        size <= 0.0031308, size * 12.92, 1.055 * np.maximum(size, 0.0031308) ** (1 / 2.4) - 0.055)


def oklab(linear):
    return np.cbrt(linear @ RGB_TO_CONES.T) @ CONES_TO_LAB.T


def from_oklab(lab):
    return (lab @ np.linalg.inv(CONES_TO_LAB).T) ** 3 @ np.linalg.inv(RGB_TO_CONES).T


# --- Curves --------------------------------------------------------------------------------------------------------

class Monotone:
    """A monotone cubic through points: Fritsch and Butland's tangents, the secants at both ends, straight beyond."""

    def __init__(self, x, y):
        self.x, self.y = np.asarray(x, float), np.asarray(y, float)
        width = np.diff(self.x)
        secant = np.diff(self.y) / width
        before, after = 2 * width[1:] + width[:-1], width[1:] + 2 * width[:-1]
        inner = (before + after) / (before / secant[:-1] + after / secant[1:])
        self.tangent = np.concatenate((secant[:1], inner, secant[-1:]))

    def __call__(self, at):
        at = np.asarray(at, float)
        inside = np.clip(at, self.x[0], self.x[-1])
        i = np.clip(np.searchsorted(self.x, inside, side="right") - 1, 0, len(self.x) - 2)
        width = self.x[i + 1] - self.x[i]
        t = (inside - self.x[i]) / width
        value = ((1 + 2 * t) * (1 - t) ** 2 * self.y[i] + t * (1 - t) ** 2 * width * self.tangent[i]
                 + t * t * (3 - 2 * t) * self.y[i + 1] + t * t * (t - 1) * width * self.tangent[i + 1])
        return value + (at - inside) * np.where(at < self.x[0], self.tangent[0], self.tangent[-1])

    def inverse(self, value):
        """Where the curve has a value, by bisection."""
        value = np.asarray(value, float)
        low = np.full(value.shape, self.x[0] - 2 * (self.x[-1] - self.x[0]))
        high = np.full(value.shape, self.x[-1] + 2 * (self.x[-1] - self.x[0]))
        for _ in range(60):
            middle = (low + high) / 2
            below = self(middle) < value
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return (low + high) / 2


def fading(at, half):
    """1 at 0, a half at `half`, towards 0 beyond."""
    return half ** 2 / (at ** 2 + half ** 2)


def beyond(distance, limit):
    """Bends a distance of either sign so that it stays within the limit; a small one stays what it is."""
    return distance / np.sqrt(1 + (distance / limit) ** 2)


def smoothstep(start, end, at):
    t = np.clip((at - start) / (end - start), 0, 1)
    return t * t * (3 - 2 * t)


# --- The chain -----------------------------------------------------------------------------------------------------

def tetrahedral(cube, encoded):
    """A table's value at colours: each cell is six tetrahedra around its grey diagonal. cube[blue, green, red]."""
    last = cube.shape[0] - 1
    at = np.clip(encoded, 0, 1) * last
    corner = np.minimum(at.astype(int), last - 1)
    part = at - corner
    order = np.argsort(-part, axis=-1, kind="stable")
    value = cube[corner[..., 2], corner[..., 1], corner[..., 0]]
    result = value.copy()
    for k in range(3):
        axis = order[..., k:k + 1]
        np.put_along_axis(corner, axis, np.take_along_axis(corner, axis, -1) + 1, -1)
        further = cube[corner[..., 2], corner[..., 1], corner[..., 0]]
        result += np.take_along_axis(part, axis, -1) * (further - value)
        value = further
    return result


class Look:
    """A look without its grain."""

    def __init__(self, exposure, curve, cube, desaturation):
        self.exposure, self.curve, self.cube = exposure, Monotone(*zip(*curve)), cube
        self.start, self.end, self.amount = desaturation

    def desaturated(self, encoded):
        luma = (encoded @ LUMA)[..., None]
        return encoded + self.amount * smoothstep(self.start, self.end, luma) * (luma - encoded)

    def __call__(self, linear):
        """Linear to encoded Display P3."""
        encoded = np.clip(encode(np.maximum(linear, 0) * 2 ** self.exposure), 0, 1)
        return self.desaturated(tetrahedral(self.cube, self.curve(encoded)))
