#if defined(__x86_64__)
// Table lookups are gathers here, so conversions and grain take eight pixels at a time, and the table sixteen.

#define CK_LEVEL(NAME) ck_##NAME##_avx512
#define CK_TARGET CK_TARGET_AVX512
#define CK_RGB_GATHERS
#include "rgb_loops.h"

#include <immintrin.h>

/// The pixels of the eight from `done` on that there are.
static inline CK_TARGET __mmask8 there_are(ptrdiff_t done, ptrdiff_t count) {
  const ptrdiff_t rest = count - done;
  return rest >= 8 ? 255 : rest > 0 ? (__mmask8)((1u << rest) - 1) : 0;
}

CK_TARGET void CK_LEVEL(rgb_convert)(const ck_rgb_conversion *conversion, ptrdiff_t count, uint16_t *codes) {
  if (conversion->gain) {
    CK_LEVEL(rgb_convert_loops)(conversion, count, codes);
    return;
  }
  const int bits = conversion->matrix_bits, drop = CK_LIGHT_BITS + bits - CK_ENCODED_LIGHT_BITS;
  const __m512i half = _mm512_set1_epi64((int64_t)1 << (drop - 1)), code = _mm512_set1_epi64(65535);
  const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi64(1 << CK_ENCODED_LIGHT_BITS);
  __m512i matrix[9];
  for (int i = 0; i < 9; i++) matrix[i] = _mm512_set1_epi64(conversion->matrix[i]);
  for (ptrdiff_t done = 0; done < count; done += 8) {
    const __mmask8 there = there_are(done, count);
    const __m512i pixels = _mm512_maskz_loadu_epi64(there, codes + CK_RGB * done);
    // 64 bits from each place: a product takes the lower 32, a code is the lower 16.
    __m512i light[3], made[3];
    for (int channel = 0; channel < 3; channel++)
      light[channel] = _mm512_i64gather_epi64(
        _mm512_and_si512(_mm512_srli_epi64(pixels, 16 * channel), code), conversion->decode[channel], 4);
    for (int channel = 0; channel < 3; channel++) {
      const __m512i *const row = matrix + 3 * channel;
      const __m512i sum = _mm512_add_epi64(
        _mm512_add_epi64(_mm512_mul_epi32(row[0], light[0]), _mm512_mul_epi32(row[1], light[1])),
        _mm512_add_epi64(_mm512_mul_epi32(row[2], light[2]), half));
      const __m512i place = _mm512_min_epi64(_mm512_max_epi64(_mm512_srai_epi64(sum, drop), zero), one);
      made[channel] = _mm512_i64gather_epi64(place, conversion->encode, 2);
    }
    const __m512i two = _mm512_mask_blend_epi16(0x22222222, made[0], _mm512_slli_epi64(made[1], 16));
    const __m512i all = _mm512_maskz_mov_epi16(
      0x77777777, _mm512_mask_blend_epi16(0x44444444, two, _mm512_slli_epi64(made[2], 32)));
    _mm512_mask_storeu_epi64(codes + CK_RGB * done, there, all);
  }
}

/// Where codes lie, as `rgb_place` says it; 32 bits each.
static inline CK_TARGET __m512i places_of(__m512i codes, __m512i cells) {
  const __m512i one = _mm512_set1_epi32(1), x = _mm512_mullo_epi32(codes, cells);
  const __m512i part = _mm512_add_epi32(_mm512_add_epi32(x, one), _mm512_srli_epi32(x, 16));
  return _mm512_srli_epi32(_mm512_add_epi32(_mm512_add_epi32(x, one), _mm512_srli_epi32(part, 16)), 1);
}

/// What `rgb_mean` makes of four points, for eight pixels; the fourth point is as far from `opposite` as the first from
/// `points`.
static inline CK_TARGET __m512i mean_of(
    const uint16_t *points, const uint16_t *opposite, __m256i first, __m256i second, __m256i third, __m256i near,
    __m256i far) {
  const __m512i sign = _mm512_set1_epi16(INT16_MIN), half = _mm512_set1_epi32(1 << (CK_RGB_TABLE_BITS - 1));
  const __m512i even = _mm512_set_epi32(6, 6, 6, 6, 4, 4, 4, 4, 2, 2, 2, 2, 0, 0, 0, 0);
  const __m512i odd = _mm512_set_epi32(7, 7, 7, 7, 5, 5, 5, 5, 3, 3, 3, 3, 1, 1, 1, 1);
  const __m512i p0 = _mm512_xor_si512(_mm512_i32gather_epi64(first, points, 8), sign);
  const __m512i p1 = _mm512_xor_si512(_mm512_i32gather_epi64(second, points, 8), sign);
  const __m512i p2 = _mm512_xor_si512(_mm512_i32gather_epi64(third, points, 8), sign);
  const __m512i p3 = _mm512_xor_si512(_mm512_i32gather_epi64(first, opposite, 8), sign);
  const __m512i n = _mm512_castsi256_si512(near), f = _mm512_castsi256_si512(far);
  const __m512i low = _mm512_add_epi32(
    _mm512_madd_epi16(_mm512_unpacklo_epi16(p0, p1), _mm512_permutexvar_epi32(even, n)),
    _mm512_madd_epi16(_mm512_unpacklo_epi16(p2, p3), _mm512_permutexvar_epi32(even, f)));
  const __m512i high = _mm512_add_epi32(
    _mm512_madd_epi16(_mm512_unpackhi_epi16(p0, p1), _mm512_permutexvar_epi32(odd, n)),
    _mm512_madd_epi16(_mm512_unpackhi_epi16(p2, p3), _mm512_permutexvar_epi32(odd, f)));
  const __m512i wide_low = _mm512_srai_epi32(_mm512_add_epi32(low, half), CK_RGB_TABLE_BITS);
  const __m512i wide_high = _mm512_srai_epi32(_mm512_add_epi32(high, half), CK_RGB_TABLE_BITS);
  return _mm512_xor_si512(_mm512_packs_epi32(wide_low, wide_high), sign);
}

CK_TARGET void CK_LEVEL(rgb_table)(const ck_rgb_table *table, ptrdiff_t count, uint16_t *codes) {
  enum { ONE = 1 << CK_RGB_TABLE_BITS, FRACTION = ONE - 1, WAY_BITS = 15, WAY = (1 << WAY_BITS) - 1 };
  const int32_t by_green = table->size, by_blue = by_green * by_green, across = 1 + by_green + by_blue;
  const uint16_t *const points = table->points, *const opposite = points + CK_RGB * (ptrdiff_t)across;
  const __m512i cells = _mm512_set1_epi32(by_green - 1), fraction = _mm512_set1_epi32(FRACTION);
  const __m512i greens = _mm512_set1_epi32(by_green), blues = _mm512_set1_epi32(by_blue);
  const __m512i way = _mm512_set1_epi32(WAY), one = _mm512_set1_epi32(1), whole = _mm512_set1_epi32(ONE);
  const __m512i low_words = _mm512_set1_epi32(65535), beyond = _mm512_set1_epi32(across);
  // Red and green of sixteen pixels, and their blue, from two vectors of eight.
  const __m512i evens = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i odds = _mm512_or_si512(evens, one);
  for (ptrdiff_t done = 0; done < count; done += 16) {
    const __mmask8 there[2] = { there_are(done, count), there_are(done + 8, count) };
    const __m512i a = _mm512_maskz_loadu_epi64(there[0], codes + CK_RGB * done);
    const __m512i b = _mm512_maskz_loadu_epi64(there[1], codes + CK_RGB * (done + 8));
    const __m512i red_green = _mm512_permutex2var_epi32(a, evens, b), blue_rest = _mm512_permutex2var_epi32(a, odds, b);
    const __m512i red = places_of(_mm512_and_si512(red_green, low_words), cells);
    const __m512i green = places_of(_mm512_srli_epi32(red_green, 16), cells);
    const __m512i blue = places_of(_mm512_and_si512(blue_rest, low_words), cells);
    const __m512i corner = _mm512_add_epi32(
      _mm512_srli_epi32(red, CK_RGB_TABLE_BITS),
      _mm512_add_epi32(
        _mm512_mullo_epi32(_mm512_srli_epi32(green, CK_RGB_TABLE_BITS), greens),
        _mm512_mullo_epi32(_mm512_srli_epi32(blue, CK_RGB_TABLE_BITS), blues)));
    // As in rgb_table: a fraction above, the way below.
    const __m512i r = _mm512_or_si512(_mm512_slli_epi32(_mm512_and_si512(red, fraction), WAY_BITS), one);
    const __m512i g = _mm512_or_si512(_mm512_slli_epi32(_mm512_and_si512(green, fraction), WAY_BITS), greens);
    const __m512i v = _mm512_or_si512(_mm512_slli_epi32(_mm512_and_si512(blue, fraction), WAY_BITS), blues);
    const __m512i rg_high = _mm512_max_epu32(r, g), rg_low = _mm512_min_epu32(r, g);
    const __m512i high = _mm512_max_epu32(rg_high, v), low = _mm512_min_epu32(rg_low, v);
    const __m512i middle = _mm512_max_epu32(rg_low, _mm512_min_epu32(rg_high, v));
    const __m512i f1 = _mm512_srli_epi32(high, WAY_BITS), f2 = _mm512_srli_epi32(middle, WAY_BITS);
    const __m512i f3 = _mm512_srli_epi32(low, WAY_BITS);
    const __mmask16 moves = _mm512_test_epi32_mask(f1, f1);
    const __m512i alone = _mm512_maskz_mov_epi32((__mmask16)~moves, one);
    const __m512i second = _mm512_mask_add_epi32(corner, moves, corner, _mm512_and_si512(high, way));
    const __m512i third = _mm512_sub_epi32(_mm512_add_epi32(corner, beyond), _mm512_and_si512(low, way));
    const __m512i near = _mm512_or_si512(
      _mm512_sub_epi32(_mm512_sub_epi32(whole, f1), alone),
      _mm512_slli_epi32(_mm512_add_epi32(_mm512_sub_epi32(f1, f2), alone), 16));
    const __m512i far = _mm512_or_si512(_mm512_sub_epi32(f2, f3), _mm512_slli_epi32(f3, 16));
    _mm512_mask_storeu_epi64(
      codes + CK_RGB * done, there[0],
      mean_of(
        points, opposite, _mm512_castsi512_si256(corner), _mm512_castsi512_si256(second), _mm512_castsi512_si256(third),
        _mm512_castsi512_si256(near), _mm512_castsi512_si256(far)));
    _mm512_mask_storeu_epi64(
      codes + CK_RGB * (done + 8), there[1],
      mean_of(
        points, opposite, _mm512_extracti64x4_epi64(corner, 1), _mm512_extracti64x4_epi64(second, 1),
        _mm512_extracti64x4_epi64(third, 1), _mm512_extracti64x4_epi64(near, 1), _mm512_extracti64x4_epi64(far, 1)));
  }
}

CK_TARGET void CK_LEVEL(rgb_grain)(
    const uint16_t *amplitude, int shift, const uint32_t luma[3], const int16_t *noise, ptrdiff_t count,
    uint16_t *codes) {
  const __m512i weights[3] = {
    _mm512_set1_epi64(luma[0]), _mm512_set1_epi64(luma[1]), _mm512_set1_epi64(luma[2]),
  };
  const __m512i half = _mm512_set1_epi64((int64_t)1 << (shift - 1)), code = _mm512_set1_epi64(65535);
  const __m512i none = _mm512_setzero_si512();
  const __m512i even = _mm512_set_epi32(12, 12, 12, 12, 8, 8, 8, 8, 4, 4, 4, 4, 0, 0, 0, 0);
  const __m512i odd = _mm512_set_epi32(14, 14, 14, 14, 10, 10, 10, 10, 6, 6, 6, 6, 2, 2, 2, 2);
  for (ptrdiff_t done = 0; done < count; done += 8) {
    const __mmask8 there = there_are(done, count);
    const __m512i pixels = _mm512_maskz_loadu_epi64(there, codes + CK_RGB * done);
    __m512i sum = none;
    for (int channel = 0; channel < 3; channel++)
      sum = _mm512_add_epi64(
        sum, _mm512_mul_epu32(weights[channel], _mm512_and_si512(_mm512_srli_epi64(pixels, 16 * channel), code)));
    const __m512i found = _mm512_and_si512(
      _mm512_i64gather_epi64(_mm512_srli_epi64(sum, CK_RGB_LUMA_BITS + 4), amplitude, 2), code);
    const __m512i strength = _mm512_cvtepi16_epi64(_mm_maskz_loadu_epi16(there, noise + done));
    const __m512i added = _mm512_srai_epi64(_mm512_add_epi64(_mm512_mul_epi32(strength, found), half), shift);
    // Four codes each, in 32 bits, and back to 16, held within them.
    const __m512i low = _mm512_add_epi32(_mm512_unpacklo_epi16(pixels, none), _mm512_permutexvar_epi32(even, added));
    const __m512i high = _mm512_add_epi32(_mm512_unpackhi_epi16(pixels, none), _mm512_permutexvar_epi32(odd, added));
    _mm512_mask_storeu_epi64(codes + CK_RGB * done, there, _mm512_packus_epi32(low, high));
  }
}
#endif
