// The operations on photographs, for the level that CK_LEVEL names and CK_TARGET allows the compiler. CK_RGB_PAIRS:
// whether it multiplies and adds pairs of 16 bits. CK_RGB_VECTORS: whether rgb_avx512.c has all of them but the loading
// of bytes and conversions with a gain.

#include <string.h>
#ifdef CK_RGB_PAIRS
#include <immintrin.h>
#endif

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

static inline CK_TARGET void CK_LEVEL(rgb_convert_loops)(
    const ck_rgb_conversion *conversion, ptrdiff_t count, uint16_t *codes) {
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

#ifndef CK_RGB_VECTORS
CK_TARGET void CK_LEVEL(rgb_convert)(const ck_rgb_conversion *conversion, ptrdiff_t count, uint16_t *codes) {
  CK_LEVEL(rgb_convert_loops)(conversion, count, codes);
}

static inline CK_TARGET uint32_t CK_LEVEL(rgb_larger)(uint32_t a, uint32_t b) { return a > b ? a : b; }
static inline CK_TARGET uint32_t CK_LEVEL(rgb_smaller)(uint32_t a, uint32_t b) { return a < b ? a : b; }

/// The weighted mean of four points, of which `near` and `far` have two weights each, the first in the lower half. The
/// weights add up to 2^CK_RGB_TABLE_BITS, and none is as large as that.
static inline CK_TARGET void CK_LEVEL(rgb_mean)(
    const uint16_t *const points[4], uint32_t near, uint32_t far, uint16_t *mean) {
#ifdef CK_RGB_PAIRS
  // 2^15 is taken off each point, so that it has 16 bits with its sign, and put back at the end.
  const __m128i sign = _mm_set1_epi16(INT16_MIN), half = _mm_set1_epi32(1 << (CK_RGB_TABLE_BITS - 1));
  __m128i point[4];
  for (int i = 0; i < 4; i++) point[i] = _mm_loadl_epi64((const __m128i *)points[i]);
  const __m128i first = _mm_xor_si128(_mm_unpacklo_epi16(point[0], point[1]), sign);
  const __m128i second = _mm_xor_si128(_mm_unpacklo_epi16(point[2], point[3]), sign);
  const __m128i sum = _mm_add_epi32(
    _mm_madd_epi16(first, _mm_set1_epi32((int32_t)near)), _mm_madd_epi16(second, _mm_set1_epi32((int32_t)far)));
  const __m128i wide = _mm_srai_epi32(_mm_add_epi32(sum, half), CK_RGB_TABLE_BITS);
  _mm_storel_epi64((__m128i *)mean, _mm_xor_si128(_mm_packs_epi32(wide, wide), sign));
#else
  const uint32_t weights[4] = { near & 65535, near >> 16, far & 65535, far >> 16 };
  ck_rgb32 sum = { 0 };
  for (int i = 0; i < 4; i++) {
    ck_rgb16 point;
    memcpy(&point, points[i], sizeof point);
    const int32_t w = (int32_t)weights[i];
    sum += __builtin_convertvector(point, ck_rgb32) * (ck_rgb32){ w, w, w, w };
  }
  const ck_rgb16 value =
    __builtin_convertvector((sum + (1 << (CK_RGB_TABLE_BITS - 1))) >> CK_RGB_TABLE_BITS, ck_rgb16);
  memcpy(mean, &value, sizeof value);
#endif
}

/// Where a code lies: the point below it, and above that the fraction up to the next one.
static inline CK_TARGET uint32_t CK_LEVEL(rgb_place)(uint16_t code, uint32_t cells) {
  const uint32_t x = code * cells;
  // x / 65535 with 15 fraction bits, rounded: x · 65536 / 65535 is x and the whole part of x / 65535, and a rest
  // below 1.
  return (x + ((x + (x >> 16) + 1) >> 16) + 1) >> 1;
}

CK_TARGET void CK_LEVEL(rgb_table)(const ck_rgb_table *table, ptrdiff_t count, uint16_t *codes) {
  enum { ONE = 1 << CK_RGB_TABLE_BITS, FRACTION = ONE - 1, WAY_BITS = 15, WAY = (1 << WAY_BITS) - 1 };
  const uint32_t by_green = (uint32_t)table->size, by_blue = by_green * by_green, cells = by_green - 1;
  const uint32_t across = 1 + by_green + by_blue;
  uint32_t first[CK_PIECE], second[CK_PIECE], third[CK_PIECE], near[CK_PIECE], far[CK_PIECE];
  for (ptrdiff_t i = 0; i < count; i++) {
    const uint32_t red = CK_LEVEL(rgb_place)(codes[CK_RGB * i], cells);
    const uint32_t green = CK_LEVEL(rgb_place)(codes[CK_RGB * i + 1], cells);
    const uint32_t blue = CK_LEVEL(rgb_place)(codes[CK_RGB * i + 2], cells);
    const uint32_t corner = (red >> CK_RGB_TABLE_BITS) + by_green * (green >> CK_RGB_TABLE_BITS)
      + by_blue * (blue >> CK_RGB_TABLE_BITS);
    // A fraction above, the way to the next point along its axis below: sorting these sorts both. Equal fractions may
    // come in any order, because the point between them gets weight 0.
    const uint32_t r = (red & FRACTION) << WAY_BITS | 1;
    const uint32_t g = (green & FRACTION) << WAY_BITS | by_green;
    const uint32_t b = (blue & FRACTION) << WAY_BITS | by_blue;
    const uint32_t rg_high = CK_LEVEL(rgb_larger)(r, g), rg_low = CK_LEVEL(rgb_smaller)(r, g);
    const uint32_t high = CK_LEVEL(rgb_larger)(rg_high, b), low = CK_LEVEL(rgb_smaller)(rg_low, b);
    const uint32_t middle = CK_LEVEL(rgb_larger)(rg_low, CK_LEVEL(rgb_smaller)(rg_high, b));
    const uint32_t f1 = high >> WAY_BITS, f2 = middle >> WAY_BITS, f3 = low >> WAY_BITS;
    // On the corner itself, the second point is the corner too, and takes 1 of a weight that pairs have no bit for.
    const uint32_t alone = f1 == 0;
    first[i] = corner;
    second[i] = corner + (alone ? 0 : high & WAY);
    third[i] = corner + across - (low & WAY);
    near[i] = (ONE - f1 - alone) | (f1 - f2 + alone) << 16;
    far[i] = (f2 - f3) | f3 << 16;
  }
  const uint16_t *const points = table->points, *const opposite = points + CK_RGB * (ptrdiff_t)across;
  for (ptrdiff_t i = 0; i < count; i++) {
    const uint16_t *const four[4] = {
      points + CK_RGB * (ptrdiff_t)first[i], points + CK_RGB * (ptrdiff_t)second[i],
      points + CK_RGB * (ptrdiff_t)third[i], opposite + CK_RGB * (ptrdiff_t)first[i],
    };
    CK_LEVEL(rgb_mean)(four, near[i], far[i], codes + CK_RGB * i);
  }
}

CK_TARGET void CK_LEVEL(rgb_grain)(
    const uint16_t *amplitude, int shift, const uint32_t luma[3], const int16_t *noise, ptrdiff_t count,
    uint16_t *codes) {
  enum { DROP = CK_RGB_LUMA_BITS + 4 };
  const uint32_t by_red = luma[0], by_green = luma[1], by_blue = luma[2];
  const int32_t half = 1 << (shift - 1);
  uint32_t place[CK_PIECE];
  uint16_t amplitudes[CK_PIECE];
  int32_t grain[CK_RGB * CK_PIECE];
  for (ptrdiff_t i = 0; i < count; i++) {
    const uint16_t *const pixel = codes + CK_RGB * i;
    place[i] = (by_red * pixel[0] + by_green * pixel[1] + by_blue * pixel[2]) >> DROP;
  }
  for (ptrdiff_t i = 0; i < count; i++) amplitudes[i] = amplitude[place[i]];
  for (ptrdiff_t i = 0; i < count; i++) {
    const int32_t added = (noise[i] * (int32_t)amplitudes[i] + half) >> shift;
    for (int channel = 0; channel < CK_RGB; channel++) grain[CK_RGB * i + channel] = added;
  }
  for (ptrdiff_t i = 0; i < CK_RGB * count; i++) codes[i] = (uint16_t)ck_clamp(codes[i] + grain[i], 65535);
}

#endif

#define CK_RGB_LOAD(BYTES, TYPE, UNIT)                                                                                \
  CK_TARGET void CK_LEVEL(rgb_load_##BYTES)(                                                                          \
      const void *restrict row, int channels, ptrdiff_t count, uint16_t *restrict codes) {                            \
    const TYPE *const restrict samples = row;                                                                         \
    if (channels == 3)                                                                                                \
      for (ptrdiff_t i = 0; i < count; i++) {                                                                         \
        for (int channel = 0; channel < 3; channel++)                                                                 \
          codes[CK_RGB * i + channel] = (uint16_t)(UNIT * samples[3 * i + channel]);                                  \
        codes[CK_RGB * i + 3] = 0;                                                                                    \
      }                                                                                                               \
    else                                                                                                              \
      for (ptrdiff_t i = 0; i < count; i++) {                                                                         \
        for (int channel = 0; channel < 3; channel++)                                                                 \
          codes[CK_RGB * i + channel] = (uint16_t)(UNIT * samples[i]);                                                \
        codes[CK_RGB * i + 3] = 0;                                                                                    \
      }                                                                                                               \
  }

CK_RGB_LOAD(1, uint8_t, 257)
#ifndef CK_RGB_VECTORS
CK_RGB_LOAD(2, uint16_t, 1)
#endif
#undef CK_RGB_LOAD

#ifndef CK_RGB_VECTORS
CK_TARGET void CK_LEVEL(rgb_store_1)(const uint16_t *restrict codes, ptrdiff_t count, void *restrict row) {
  uint8_t *const restrict samples = row;
  uint8_t narrow[CK_RGB * CK_PIECE];
  // code / 257, rounded, in 16 bits: x / 257 is (x − x / 256) / 256, in whole numbers.
  for (ptrdiff_t i = 0; i < CK_RGB * count; i++) {
    const uint16_t x = (uint16_t)((codes[i] < 65407 ? codes[i] : 65407) + 128);
    narrow[i] = (uint8_t)((uint16_t)(x - (x >> 8)) >> 8);
  }
  // Four bytes at once: the next pixel covers the fourth, and the last pixel has none.
  for (ptrdiff_t i = 0; i < count - 1; i++) memcpy(samples + 3 * i, narrow + CK_RGB * i, 4);
  if (count > 0) memcpy(samples + 3 * (count - 1), narrow + CK_RGB * (count - 1), 3);
}

CK_TARGET void CK_LEVEL(rgb_store_2)(const uint16_t *restrict codes, ptrdiff_t count, void *restrict row) {
  uint16_t *const restrict samples = row;
  for (ptrdiff_t i = 0; i < count; i++)
    for (int channel = 0; channel < 3; channel++) samples[3 * i + channel] = codes[CK_RGB * i + channel];
}
#endif
