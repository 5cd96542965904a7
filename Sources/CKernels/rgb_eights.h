// The parts of the operations on photographs whose table lookups are gathers of AVX-512, eight pixels at a time.

#include <immintrin.h>
#include <stdint.h>

#include "ck_internal.h"

/// The pixels of the eight from `done` on that there are.
static inline CK_TARGET_AVX512 __mmask8 ck_eights_mask(ptrdiff_t done, ptrdiff_t count) {
  const ptrdiff_t rest = count - done;
  return rest < 8 ? (__mmask8)((1u << rest) - 1) : 255;
}

/// `ck_rgb_convert_fn` without a gain.
static inline CK_TARGET_AVX512 void ck_eights_convert(
    const ck_rgb_conversion *conversion, ptrdiff_t count, uint16_t *codes) {
  const int bits = conversion->matrix_bits, drop = CK_LIGHT_BITS + bits - CK_ENCODED_LIGHT_BITS;
  const __m512i half = _mm512_set1_epi64((int64_t)1 << (drop - 1)), code = _mm512_set1_epi64(65535);
  const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi64(1 << CK_ENCODED_LIGHT_BITS);
  __m512i matrix[9];
  for (int i = 0; i < 9; i++) matrix[i] = _mm512_set1_epi64(conversion->matrix[i]);
  for (ptrdiff_t done = 0; done < count; done += 8) {
    const __mmask8 there = ck_eights_mask(done, count);
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

/// What `rgb_mean` makes of each pixel's four points and weights.
static inline CK_TARGET_AVX512 void ck_eights_means(
    const ck_rgb_table *table, uint32_t across, const uint32_t *first, const uint32_t *second, const uint32_t *third,
    const uint32_t *near, const uint32_t *far, ptrdiff_t count, uint16_t *codes) {
  const uint16_t *const points = table->points, *const opposite = points + CK_RGB * (ptrdiff_t)across;
  const __m512i sign = _mm512_set1_epi16(INT16_MIN), half = _mm512_set1_epi32(1 << (CK_RGB_TABLE_BITS - 1));
  const __m512i even = _mm512_set_epi32(6, 6, 6, 6, 4, 4, 4, 4, 2, 2, 2, 2, 0, 0, 0, 0);
  const __m512i odd = _mm512_set_epi32(7, 7, 7, 7, 5, 5, 5, 5, 3, 3, 3, 3, 1, 1, 1, 1);
  for (ptrdiff_t done = 0; done < count; done += 8) {
    const __mmask8 there = ck_eights_mask(done, count);
    const __m256i a = _mm256_maskz_loadu_epi32(there, first + done), b = _mm256_maskz_loadu_epi32(there, second + done);
    const __m256i c = _mm256_maskz_loadu_epi32(there, third + done);
    const __m512i p0 = _mm512_xor_si512(_mm512_i32gather_epi64(a, points, 8), sign);
    const __m512i p1 = _mm512_xor_si512(_mm512_i32gather_epi64(b, points, 8), sign);
    const __m512i p2 = _mm512_xor_si512(_mm512_i32gather_epi64(c, points, 8), sign);
    const __m512i p3 = _mm512_xor_si512(_mm512_i32gather_epi64(a, opposite, 8), sign);
    const __m512i n = _mm512_castsi256_si512(_mm256_maskz_loadu_epi32(there, near + done));
    const __m512i f = _mm512_castsi256_si512(_mm256_maskz_loadu_epi32(there, far + done));
    const __m512i low = _mm512_add_epi32(
      _mm512_madd_epi16(_mm512_unpacklo_epi16(p0, p1), _mm512_permutexvar_epi32(even, n)),
      _mm512_madd_epi16(_mm512_unpacklo_epi16(p2, p3), _mm512_permutexvar_epi32(even, f)));
    const __m512i high = _mm512_add_epi32(
      _mm512_madd_epi16(_mm512_unpackhi_epi16(p0, p1), _mm512_permutexvar_epi32(odd, n)),
      _mm512_madd_epi16(_mm512_unpackhi_epi16(p2, p3), _mm512_permutexvar_epi32(odd, f)));
    const __m512i wide_low = _mm512_srai_epi32(_mm512_add_epi32(low, half), CK_RGB_TABLE_BITS);
    const __m512i wide_high = _mm512_srai_epi32(_mm512_add_epi32(high, half), CK_RGB_TABLE_BITS);
    const __m512i mean = _mm512_xor_si512(_mm512_packs_epi32(wide_low, wide_high), sign);
    _mm512_mask_storeu_epi64(codes + CK_RGB * done, there, mean);
  }
}
