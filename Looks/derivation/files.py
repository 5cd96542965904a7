"""The look's two files: their text, and reading the table back."""
import numpy as np

import portra_400
from chain import Look

YAML = """\
# A look for camrec. Documentation/Looks.md explains it; this comment is the whole format.
#
# camrec-look   the format's version: 1
# name          what --look calls it: lower-case letters, digits and hyphens, as the file without .yaml
# version       the look's own version, a whole number; sidecar and EXIF name it
# title         what people call it
# derivation    command: what makes the file and its table; sources: what they come from
# exposure      EV, before anything else
# curve         the tone curve's points, from x = 0 to x = 1, both coordinates rising: a monotone cubic through them
# table         a .cube file with 64 points per side, beside this file
# desaturation  from: the luma where it begins; to: where it is full; amount: 0 nothing, 1 grey
# grain         intensity: 0 to 1; size: sigma of its blur, as a part of the picture's shorter side
#
# In this order: exposure on linear Display P3; encoded with the sRGB transfer function and held within 0 and 1; curve
# on each channel; table; desaturation; grain. Curve, table, desaturation and grain work on encoded Display P3.
camrec-look: 1
name: {name}
version: {version}
title: {title}
derivation:
  command: scripts/derive-look {name}
  sources:
    - "KODAK PROFESSIONAL PORTRA 400 Film, E-4050, January 2025, page 4: curves, sensitivities, densities"
    - "Film Scan Calibration by OwlMightyCh, CC BY 4.0: that page's charts as numbers, resampled here"
    - "ISO 5-3:1995, table 4: Status M"
    - "CIE 224:2017: 99 reflectances; CIE 15: observer, D55 and D65"
    - "Looks/derivation/portra_400.py: each number, marked published, measured or artistic"
exposure: {exposure}
curve:
{curve}
table: {name}.cube
desaturation: {{from: {start}, to: {end}, amount: {amount}}}
grain: {{intensity: {intensity}, size: {size}}}
"""


def yaml():
    start, end, amount = portra_400.DESATURATION
    intensity, size = portra_400.GRAIN
    return YAML.format(
        name=portra_400.NAME, version=portra_400.VERSION, title=portra_400.TITLE, exposure=portra_400.EXPOSURE,
        curve="\n".join(f"  - [{x}, {y}]" for x, y in portra_400.CURVE),
        start=start, end=end, amount=amount, intensity=intensity, size=size)


def cube():
    rows = portra_400.table().reshape(-1, 3)
    head = (f"# scripts/derive-look {portra_400.NAME}: after the look's tone curve, encoded Display P3 to the same\n"
            f'TITLE "{portra_400.TITLE}"\nLUT_3D_SIZE {portra_400.SIZE}\n')
    return head + "".join("%.5f %.5f %.5f\n" % tuple(row) for row in rows)


def look(path):
    """The look with the table of a .cube file."""
    lines = path.read_text().splitlines()[3:]
    size = portra_400.SIZE
    table = np.array([line.split() for line in lines], float).reshape(size, size, size, 3)
    return Look(portra_400.EXPOSURE, portra_400.CURVE, table, portra_400.DESATURATION)
