#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

typedef struct chroma {
  __m512i low, high;
} chroma;

CK_TARGET_AVX512 static inline __m512i low_part(int64_t coefficient) {
  return _mm512_set1_epi32((int32_t)(coefficient & ((1 << CK_COORDINATE_SHIFT) - 1)));
}

CK_TARGET_AVX512 static inline __m512i high_part(int64_t coefficient) {
  return _mm512_set1_epi32((int32_t)(coefficient >> CK_COORDINATE_SHIFT));
}

/// What luma adds to a coordinate: the part below the point, and the one above.
typedef struct luma {
  __m512i low, high;
} luma;

CK_TARGET_AVX512 static inline luma luma_of(const ck_coordinates *map, int channel, __m512i y) {
  return (luma){ _mm512_madd_epi16(y, low_part(map->y[channel])), _mm512_mullo_epi32(y, high_part(map->y[channel])) };
}

CK_TARGET_AVX512 static inline __m512i coordinate(luma luma, __m512i low, __m512i high, __m512i max) {
  const __m512i carry = _mm512_srai_epi32(_mm512_add_epi32(luma.low, low), CK_COORDINATE_SHIFT);
  const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(luma.high, high), carry);
  return _mm512_min_epi32(_mm512_max_epi32(sum, _mm512_setzero_si512()), max);
}

/// - same_luma: luma has the same weight in every channel, as it has where the domain is the same.
CK_TARGET_AVX512 __attribute__((always_inline)) static inline void map(
    const ck_coordinates *map, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, ptrdiff_t pairs, ck_row *row,
    int same_luma) {
  int32_t(*const out[3])[CK_PIECE / 2] = { row->red, row->green, row->blue };
  const __m512i max = _mm512_set1_epi32(map->max);
  for (ptrdiff_t j = 0; j < pairs; j += 16) {
    const __m512i blue = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)(cb + j)));
    const __m512i red = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)(cr + j)));
    const __m512i codes = _mm512_loadu_si512(y + 2 * j);
    const __m512i first = _mm512_and_si512(codes, _mm512_set1_epi32(0xFFFF)), second = _mm512_srli_epi32(codes, 16);
    luma one = luma_of(map, 0, first), two = luma_of(map, 0, second);
    for (int channel = 0; channel < 3; channel++) {
      if (!same_luma) one = luma_of(map, channel, first), two = luma_of(map, channel, second);
      const __m512i low = _mm512_add_epi32(
          _mm512_add_epi32(
              _mm512_madd_epi16(blue, low_part(map->cb[channel])), _mm512_madd_epi16(red, low_part(map->cr[channel]))),
          low_part(map->add[channel]));
      const __m512i high = _mm512_add_epi32(
          _mm512_add_epi32(
              _mm512_mullo_epi32(blue, high_part(map->cb[channel])),
              _mm512_mullo_epi32(red, high_part(map->cr[channel]))),
          high_part(map->add[channel]));
      _mm512_storeu_si512(out[channel][0] + j, coordinate(one, low, high, max));
      _mm512_storeu_si512(out[channel][1] + j, coordinate(two, low, high, max));
    }
  }
}

CK_TARGET_AVX512 void ck_coordinates_avx512(
    const ck_coordinates *op, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, ptrdiff_t pairs,
    ck_row *row) {
  if (op->y[0] == op->y[1] && op->y[0] == op->y[2])
    map(op, y, cb, cr, pairs, row, 1);
  else
    map(op, y, cb, cr, pairs, row, 0);
}

#endif
