// The operations on photographs, for the level that CK_LEVEL names and CK_TARGET allows the compiler.

#include <string.h>

#include "ck_internal.h"

// Vectors of the compiler, not of an instruction set: a pixel or a point of a table.
typedef uint16_t ck_rgb16 __attribute__((vector_size(8)));
typedef int32_t ck_rgb32 __attribute__((vector_size(16)));

/// One channel's light from that of all three, held within 0 and 1.
static inline CK_TARGET void CK_LEVEL(rgb_light)(
    const int32_t row[3], int bits, const int32_t light[3][CK_PIECE], ptrdiff_t count, int32_t *restrict out) {
  const int64_t by_red = row[0], by_green = row[1], by_blue = row[2];
  const int drop = CK_LIGHT_BITS + bits - CK_ENCODED_LIGHT_BITS;
  const int64_t half = (int64_t)1 << (drop - 1), above = ((int64_t)1 << (CK_LIGHT_BITS + bits)) + half - 1;
  for (ptrdiff_t i = 0; i < count; i++) {
    const int64_t sum = by_red * light[0][i] + by_green * light[1][i] + by_blue * light[2][i] + half;
    out[i] = (int32_t)((uint64_t)ck_clamp64(sum, above) >> drop);
  }
}

/// Multiplies all three channels' light by the gain that belongs to its luminance.
static inline CK_TARGET void CK_LEVEL(rgb_gain)(
    const ck_rgb_conversion *conversion, ptrdiff_t count, int32_t light[3][CK_PIECE]) {
  enum { DROP = 2 * CK_LIGHT_BITS - CK_ENCODED_LIGHT_BITS };
  const int64_t by_red = conversion->luminance[0], by_green = conversion->luminance[1];
  const int64_t by_blue = conversion->luminance[2], half = (int64_t)1 << (DROP - 1);
  const int64_t above = ((int64_t)1 << (2 * CK_LIGHT_BITS)) + half - 1;
  int32_t gains[CK_PIECE];
  for (ptrdiff_t i = 0; i < count; i++) {
    const int64_t sum = by_red * light[0][i] + by_green * light[1][i] + by_blue * light[2][i] + half;
    gains[i] = conversion->gain[(uint64_t)ck_clamp64(sum, above) >> DROP];
  }
  const int64_t unit = (int64_t)1 << CK_LIGHT_BITS;
  // Light below 0 too: what is added makes the shifted value positive.
  for (int channel = 0; channel < 3; channel++)
    for (ptrdiff_t i = 0; i < count; i++) {
      const int64_t made = (int64_t)light[channel][i] * gains[i] + unit / 2 + unit * unit;
      light[channel][i] = (int32_t)((int64_t)((uint64_t)made >> CK_LIGHT_BITS) - unit);
    }
}

CK_TARGET void CK_LEVEL(rgb_convert)(const ck_rgb_conversion *conversion, ptrdiff_t count, uint16_t *codes) {
  int32_t light[3][CK_PIECE], found[3][CK_PIECE];
  for (int channel = 0; channel < 3; channel++) {
    const int32_t *const decode = conversion->decode[channel];
    for (ptrdiff_t i = 0; i < count; i++) light[channel][i] = decode[codes[CK_RGB * i + channel]];
  }
  if (conversion->gain) CK_LEVEL(rgb_gain)(conversion, count, light);
  for (int channel = 0; channel < 3; channel++)
    CK_LEVEL(rgb_light)(conversion->matrix + 3 * channel, conversion->matrix_bits, light, count, found[channel]);
  const uint16_t *const encode = conversion->encode;
  for (int channel = 0; channel < 3; channel++)
    for (ptrdiff_t i = 0; i < count; i++) codes[CK_RGB * i + channel] = encode[found[channel][i]];
}

static inline CK_TARGET uint32_t CK_LEVEL(rgb_larger)(uint32_t a, uint32_t b) { return a > b ? a : b; }
static inline CK_TARGET uint32_t CK_LEVEL(rgb_smaller)(uint32_t a, uint32_t b) { return a < b ? a : b; }

static inline CK_TARGET ck_rgb32 CK_LEVEL(rgb_weighted)(const uint16_t *point, uint32_t weight) {
  ck_rgb16 values;
  memcpy(&values, point, sizeof values);
  const int32_t w = (int32_t)weight;
  return __builtin_convertvector(values, ck_rgb32) * (ck_rgb32){ w, w, w, w };
}

/// Where a code lies: the point below it, and above that the fraction up to the next one.
static inline CK_TARGET uint32_t CK_LEVEL(rgb_place)(uint16_t code, uint32_t cells) {
  const uint32_t x = code * cells;
  // x / 65535 with 15 fraction bits, rounded: x · 65536 / 65535 is x and the whole part of x / 65535, and a rest below 1.
  return (x + ((x + (x >> 16) + 1) >> 16) + 1) >> 1;
}

CK_TARGET void CK_LEVEL(rgb_table)(const ck_rgb_table *table, ptrdiff_t count, uint16_t *codes) {
  enum { ONE = 1 << CK_RGB_TABLE_BITS, FRACTION = ONE - 1, WAY_BITS = 15, WAY = (1 << WAY_BITS) - 1 };
  const uint32_t by_green = (uint32_t)table->size, by_blue = by_green * by_green, cells = by_green - 1;
  uint32_t first[CK_PIECE], high[CK_PIECE], middle[CK_PIECE], low[CK_PIECE];
  for (ptrdiff_t i = 0; i < count; i++) {
    const uint32_t red = CK_LEVEL(rgb_place)(codes[CK_RGB * i], cells);
    const uint32_t green = CK_LEVEL(rgb_place)(codes[CK_RGB * i + 1], cells);
    const uint32_t blue = CK_LEVEL(rgb_place)(codes[CK_RGB * i + 2], cells);
    first[i] = (red >> CK_RGB_TABLE_BITS) + by_green * (green >> CK_RGB_TABLE_BITS)
      + by_blue * (blue >> CK_RGB_TABLE_BITS);
    // A fraction above, the way to the next point along its axis below: sorting these sorts both. Equal fractions may
    // come in any order, because the point between them gets weight 0.
    const uint32_t r = (red & FRACTION) << WAY_BITS | 1;
    const uint32_t g = (green & FRACTION) << WAY_BITS | by_green;
    const uint32_t b = (blue & FRACTION) << WAY_BITS | by_blue;
    const uint32_t rg_high = CK_LEVEL(rgb_larger)(r, g), rg_low = CK_LEVEL(rgb_smaller)(r, g);
    high[i] = CK_LEVEL(rgb_larger)(rg_high, b);
    low[i] = CK_LEVEL(rgb_smaller)(rg_low, b);
    middle[i] = CK_LEVEL(rgb_larger)(rg_low, CK_LEVEL(rgb_smaller)(rg_high, b));
  }
  const uint16_t *const points = table->points;
  const ptrdiff_t across = CK_RGB * (ptrdiff_t)(1 + by_green + by_blue);
  for (ptrdiff_t i = 0; i < count; i++) {
    const uint32_t f1 = high[i] >> WAY_BITS, f2 = middle[i] >> WAY_BITS, f3 = low[i] >> WAY_BITS;
    const uint16_t *const p0 = points + CK_RGB * (ptrdiff_t)first[i];
    const uint16_t *const p1 = p0 + CK_RGB * (ptrdiff_t)(high[i] & WAY), *const p3 = p0 + across;
    const uint16_t *const p2 = p3 - CK_RGB * (ptrdiff_t)(low[i] & WAY);
    const ck_rgb32 sum = CK_LEVEL(rgb_weighted)(p0, ONE - f1) + CK_LEVEL(rgb_weighted)(p1, f1 - f2)
      + CK_LEVEL(rgb_weighted)(p2, f2 - f3) + CK_LEVEL(rgb_weighted)(p3, f3);
    const ck_rgb16 value = __builtin_convertvector((sum + ONE / 2) >> CK_RGB_TABLE_BITS, ck_rgb16);
    memcpy(codes + CK_RGB * i, &value, sizeof value);
  }
}

CK_TARGET void CK_LEVEL(rgb_grain)(
    const uint16_t *amplitude, int shift, const uint32_t luma[3], const int16_t *noise, ptrdiff_t count,
    uint16_t *codes) {
  enum { DROP = CK_RGB_LUMA_BITS + 4 };
  const uint32_t by_red = luma[0], by_green = luma[1], by_blue = luma[2];
  const int32_t half = 1 << (shift - 1);
  uint16_t amplitudes[CK_PIECE];
  int32_t grain[CK_PIECE];
  for (ptrdiff_t i = 0; i < count; i++) {
    const uint16_t *const pixel = codes + CK_RGB * i;
    amplitudes[i] = amplitude[(by_red * pixel[0] + by_green * pixel[1] + by_blue * pixel[2]) >> DROP];
  }
  for (ptrdiff_t i = 0; i < count; i++) grain[i] = (noise[i] * (int32_t)amplitudes[i] + half) >> shift;
  for (ptrdiff_t i = 0; i < count; i++) {
    uint16_t *const pixel = codes + CK_RGB * i;
    for (int channel = 0; channel < CK_RGB; channel++)
      pixel[channel] = (uint16_t)ck_clamp(pixel[channel] + grain[i], 65535);
  }
}
