"""Published figures behind the look portra-400. Every block names its source.

KODAK PROFESSIONAL PORTRA 400 Film, publication E-4050 (Kodak Alaris, January 2025), page 4, is where the film's curves
stand. The figures here are samples of a digitisation of that page's vector charts: Film Scan Calibration by
OwlMightyCh, data/films/Portra400_datasheet_curves.json and Portra400_spectral_sensitivity.json, CC BY 4.0
(https://creativecommons.org/licenses/by/4.0/), resampled to the steps below. The charts' strokes are about 0.02
density wide, so the third decimal is the digitisation's and not Kodak's.
"""

# published: E-4050, page 4, "Characteristic Curves": "Log H Ref: -1.44", the exposure of a mid-scale neutral in log10
# lux-seconds.
REFERENCE_LOG_EXPOSURE = -1.44

# published: E-4050, page 4, "Characteristic Curves": daylight, process C-41, Status M densities.
# The first sample is at log exposure -3.4; one each 0.1.
LOG_EXPOSURE_FIRST, LOG_EXPOSURE_STEP = -3.4, 0.1
STATUS_M_RED = (
    0.2210, 0.2236, 0.2268, 0.2307, 0.2351, 0.2390, 0.2509, 0.2699, 0.3000, 0.3410, 0.3889, 0.4418, 0.4933, 0.5441,
    0.5953, 0.6470, 0.6989, 0.7515, 0.8044, 0.8570, 0.9106, 0.9649, 1.0191, 1.0730, 1.1278, 1.1828, 1.2382, 1.2942,
    1.3502, 1.4062, 1.4625, 1.5195, 1.5763, 1.6330, 1.6899, 1.7472, 1.8048, 1.8625, 1.9203, 1.9794)
STATUS_M_GREEN = (
    0.6472, 0.6491, 0.6522, 0.6561, 0.6606, 0.6658, 0.6800, 0.7026, 0.7357, 0.7793, 0.8297, 0.8852, 0.9417, 0.9977,
    1.0536, 1.1093, 1.1651, 1.2210, 1.2765, 1.3312, 1.3863, 1.4420, 1.4978, 1.5532, 1.6081, 1.6631, 1.7179, 1.7726,
    1.8278, 1.8833, 1.9382, 1.9928, 2.0464, 2.1005, 2.1548, 2.2095, 2.2641, 2.3184, 2.3729, 2.4276)
STATUS_M_BLUE = (
    0.8683, 0.8714, 0.8748, 0.8785, 0.8906, 0.9107, 0.9417, 0.9862, 1.0392, 1.0985, 1.1599, 1.2224, 1.2849, 1.3474,
    1.4101, 1.4730, 1.5359, 1.5991, 1.6623, 1.7254, 1.7887, 1.8522, 1.9159, 1.9797, 2.0436, 2.1078, 2.1718, 2.2356,
    2.2994, 2.3632, 2.4273, 2.4916, 2.5559, 2.6210, 2.6859, 2.7503, 2.8148, 2.8796, 2.9447, 3.0103)

# Every table below is for 400 to 700 nm, one sample each 10 nm.
WAVELENGTHS = tuple(range(400, 701, 10))

# published: E-4050, page 4, "Spectral-Sensitivity Curves": log10 of 1 / exposure (erg/cm2) for a density of 0.2 over
# the minimum, daylight, 1/50 s. None where the chart draws no curve.
LOG_SENSITIVITY_RED = (None,) * 9 + (
    0.3830, 0.5253, 0.6710, 0.7769, 0.8180, 0.7822, 0.7964, 1.0227, 1.2914, 1.6938, 2.0131, 2.1591, 2.2892, 2.3753,
    2.4000, 2.4136, 2.6087, 2.5013, 1.7300) + (None,) * 3
LOG_SENSITIVITY_GREEN = (
    1.5330, 1.5331, 1.4537, 1.3882, 1.3329, 1.3175, 1.3402, 1.3863, 1.6258, 1.8777, 2.0340, 2.1138, 2.2057, 2.3063,
    2.4443, 2.5342, 2.4656, 2.3490, 2.1854, 1.5671) + (None,) * 11
LOG_SENSITIVITY_BLUE = (
    2.5594, 2.5975, 2.5516, 2.5587, 2.5514, 2.5065, 2.5272, 2.5802, 2.3174, 1.6701, 1.1975, 0.7766) + (None,) * 19

# published: E-4050, page 4, "Spectral-Dye-Density Curves": diffuse density of the unexposed film and of a mid-scale
# neutral. Kodak publishes no spectrum of a single dye.
MINIMUM_DENSITY = (
    0.7049, 0.6788, 0.7306, 0.7919, 0.8232, 0.8272, 0.8141, 0.7964, 0.7791, 0.7564, 0.7613, 0.7948, 0.7684, 0.6892,
    0.6406, 0.6176, 0.5956, 0.5489, 0.4627, 0.3552, 0.2669, 0.2201, 0.2034, 0.1977, 0.1960, 0.2006, 0.2067, 0.2146,
    0.2214, 0.2271, 0.2283)
MIDSCALE_DENSITY = (
    1.3399, 1.3794, 1.5629, 1.7586, 1.8688, 1.9008, 1.8887, 1.8251, 1.7251, 1.6257, 1.5950, 1.6425, 1.6528, 1.6307,
    1.6351, 1.6126, 1.5017, 1.3029, 1.0741, 0.8841, 0.7738, 0.7460, 0.7773, 0.8373, 0.9122, 0.9970, 1.0814, 1.1594,
    1.2232, 1.2676, 1.2820)

# published: ISO 5-3:1995, table 4, Status M: log10 of the spectral products, each channel's peak at 5. None below the
# tabulated range.
STATUS_M_PRODUCT_RED = (None,) * 22 + (
    2.109, 4.479, 5.000, 4.899, 4.578, 4.252, 3.875, 3.491, 3.099)
STATUS_M_PRODUCT_GREEN = (None,) * 7 + (
    1.152, 2.207, 3.156, 3.804, 4.272, 4.626, 4.872, 5.000, 4.995, 4.818, 4.458, 3.915, 3.172, 2.239, 1.070) + (
    None,) * 9
STATUS_M_PRODUCT_BLUE = (None,) + (
    2.103, 4.111, 4.632, 4.871, 5.000, 4.955, 4.743, 4.343, 3.743, 2.990, 1.852) + (None,) * 19
