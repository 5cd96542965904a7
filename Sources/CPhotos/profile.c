#include <lcms2.h>
#include <stdlib.h>
#include <string.h>

#include "CPhotos.h"

/// Samples a curve; 0 if there is none, or its light falls.
static int sample(cmsHPROFILE profile, cmsTagSignature tag, double *light) {
  const cmsToneCurve *const curve = cmsReadTag(profile, tag);
  if (!curve) return 0;
  for (int code = 0; code < CP_CURVE; code++) {
    const double value = cmsEvalToneCurveFloat(curve, (float)code / (CP_CURVE - 1));
    // Held within 0 and 1, also where it is not a number.
    light[code] = value > 0 ? (value < 1 ? value : 1) : 0;
    if (code > 0 && light[code] < light[code - 1]) return 0;
  }
  return light[CP_CURVE - 1] > 0;
}

static cp_profile_kind read_rgb(cmsHPROFILE profile, double to_xyz[9], double *light) {
  static const cmsTagSignature colorants[] = { cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag };
  static const cmsTagSignature curves[] = { cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag };
  if (!cmsIsMatrixShaper(profile)) return CP_NO_PROFILE;
  for (int channel = 0; channel < 3; channel++) {
    const cmsCIEXYZ *const color = cmsReadTag(profile, colorants[channel]);
    if (!color || !sample(profile, curves[channel], light + (size_t)channel * CP_CURVE)) return CP_NO_PROFILE;
    to_xyz[channel] = color->X;
    to_xyz[3 + channel] = color->Y;
    to_xyz[6 + channel] = color->Z;
  }
  const double *const m = to_xyz;
  const double determinant = m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6])
    + m[2] * (m[3] * m[7] - m[4] * m[6]);
  // Of three colours that are not on a line.
  return determinant > 1e-4 || determinant < -1e-4 ? CP_MATRIX_PROFILE : CP_NO_PROFILE;
}

/// Whether it tells the colours of pictures (ICC.1:2022, 7.2.5), and not how to change them or those of named inks.
static int is_for_pictures(cmsHPROFILE profile) {
  switch (cmsGetDeviceClass(profile)) {
    case cmsSigInputClass:
    case cmsSigDisplayClass:
    case cmsSigOutputClass:
    case cmsSigColorSpaceClass: return 1;
    default: return 0;
  }
}

static cp_profile_kind read_colors(cmsHPROFILE profile, double to_xyz[9], double *light) {
  const cmsColorSpaceSignature space = cmsGetColorSpace(profile);
  if (space != cmsSigRgbData && space != cmsSigGrayData) return CP_OTHER_PROFILE;
  // It comes before primaries and curves (ICC.1:2022, 8.10.2).
  if (cmsIsTag(profile, cmsSigAToB0Tag)) return CP_TABLE_PROFILE;
  // A curve to lightness is not one to light.
  if (cmsGetPCS(profile) != cmsSigXYZData) return CP_NO_PROFILE;
  if (space == cmsSigRgbData) return read_rgb(profile, to_xyz, light);
  return sample(profile, cmsSigGrayTRCTag, light) ? CP_GREY_PROFILE : CP_NO_PROFILE;
}

cp_profile_kind cp_read_profile(const void *bytes, size_t size, double to_xyz[9], double *light) {
  // lcms reports on standard error only where it is told to.
  cmsHPROFILE profile = size <= UINT32_MAX ? cmsOpenProfileFromMem(bytes, (cmsUInt32Number)size) : NULL;
  if (!profile) return CP_NO_PROFILE;
  const cp_profile_kind kind = is_for_pictures(profile) ? read_colors(profile, to_xyz, light) : CP_NO_PROFILE;
  cmsCloseProfile(profile);
  return kind;
}

static int describe(cmsHPROFILE profile, cmsTagSignature tag, const char *text) {
  cmsMLU *const words = cmsMLUalloc(NULL, 1);
  const int is_done = words && cmsMLUsetASCII(words, "en", "US", text) && cmsWriteTag(profile, tag, words);
  cmsMLUfree(words);
  return is_done;
}

size_t cp_make_profile(const char *name, const double primaries[6], void *bytes, size_t room) {
  // IEC 61966-2-1: ((x + 0.055) / 1.055)^2.4 above 0.04045, else x / 12.92.
  const cmsFloat64Number parameters[5] = { 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045 };
  cmsToneCurve *const curve = cmsBuildParametricToneCurve(NULL, 4, parameters);
  cmsToneCurve *const curves[3] = { curve, curve, curve };
  const cmsCIExyY white = { 0.3127, 0.3290, 1 };
  const cmsCIExyYTRIPLE colors = {
    { primaries[0], primaries[1], 1 }, { primaries[2], primaries[3], 1 }, { primaries[4], primaries[5], 1 },
  };
  cmsHPROFILE profile = curve ? cmsCreateRGBProfile(&white, &colors, curves) : NULL;
  cmsUInt32Number size = 0;
  if (profile && describe(profile, cmsSigProfileDescriptionTag, name)
      && describe(profile, cmsSigCopyrightTag, "Public domain") && cmsSaveProfileToMem(profile, NULL, &size)
      && size <= room && cmsSaveProfileToMem(profile, bytes, &size)) {
    // The date of its making (ICC.1:2022, 7.2.8): 1 January 2026, so that the bytes do not change.
    static const uint8_t date[12] = { 2026 >> 8, 2026 & 0xFF, 0, 1, 0, 1 };
    memcpy((uint8_t *)bytes + 24, date, sizeof date);
  } else {
    size = 0;
  }
  if (profile) cmsCloseProfile(profile);
  cmsFreeToneCurve(curve);
  return size;
}
