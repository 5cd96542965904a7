#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

/// What luma, or chroma and the constant, add to a coordinate: the part below the point, and the one above.
typedef struct parts {
  __m512i low, high;
} parts;

CK_TARGET_AVX512 static inline parts constant(int64_t coefficient) {
  return (parts){ _mm512_set1_epi32((int32_t)(coefficient & ((1 << CK_COORDINATE_SHIFT) - 1))),
                  _mm512_set1_epi32((int32_t)(coefficient >> CK_COORDINATE_SHIFT)) };
}

CK_TARGET_AVX512 static inline parts times(__m512i codes, int64_t coefficient) {
  const parts by = constant(coefficient);
  return (parts){ _mm512_madd_epi16(codes, by.low), _mm512_mullo_epi32(codes, by.high) };
}

CK_TARGET_AVX512 static inline parts sum(parts a, parts b) {
  return (parts){ _mm512_add_epi32(a.low, b.low), _mm512_add_epi32(a.high, b.high) };
}

/// Cb in the low words and Cr in the high ones by two coefficients whose whole parts have 16 bits.
CK_TARGET_AVX512 static inline parts products(__m512i chroma, int64_t by_blue, int64_t by_red) {
  const int64_t mask = (1 << CK_COORDINATE_SHIFT) - 1;
  const int64_t low = (by_blue & mask) | (by_red & mask) << 16;
  const int64_t high = (by_blue >> CK_COORDINATE_SHIFT & 0xFFFF) | (by_red >> CK_COORDINATE_SHIFT) * 65536;
  return (parts){ _mm512_madd_epi16(chroma, _mm512_set1_epi32((int32_t)low)),
                  _mm512_madd_epi16(chroma, _mm512_set1_epi32((int32_t)high)) };
}

CK_TARGET_AVX512 static inline __m512i coordinate(parts luma, parts chroma, __m512i max) {
  const parts both = sum(luma, chroma);
  const __m512i whole = _mm512_add_epi32(both.high, _mm512_srai_epi32(both.low, CK_COORDINATE_SHIFT));
  return _mm512_min_epi32(_mm512_max_epi32(whole, _mm512_setzero_si512()), max);
}

/// - usual: `ck_is_usual` holds.
CK_TARGET_AVX512 __attribute__((always_inline)) static inline void map_row(
    const ck_coordinates *map, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, ptrdiff_t pairs, ck_row *row,
    int usual) {
  int32_t(*const out[3])[CK_PIECE / 2] = { row->red, row->green, row->blue };
  const __m512i max = _mm512_set1_epi32(map->max);
  for (ptrdiff_t j = 0; j < pairs; j += 16) {
    const __m512i blue = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)(cb + j)));
    const __m512i red = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)(cr + j)));
    const __m512i both = _mm512_or_si512(blue, _mm512_slli_epi32(red, 16));
    const __m512i codes = _mm512_loadu_si512(y + 2 * j);
    const __m512i first = _mm512_and_si512(codes, _mm512_set1_epi32(0xFFFF)), second = _mm512_srli_epi32(codes, 16);
    parts one = times(first, map->y[0]), two = times(second, map->y[0]);
    for (int channel = 0; channel < 3; channel++) {
      const int64_t by_blue = map->cb[channel], by_red = map->cr[channel];
      if (!usual) one = times(first, map->y[channel]), two = times(second, map->y[channel]);
      const parts made = usual ? products(both, by_blue, by_red) : sum(times(blue, by_blue), times(red, by_red));
      const parts chroma = sum(made, constant(map->add[channel]));
      _mm512_storeu_si512(out[channel][0] + j, coordinate(one, chroma, max));
      _mm512_storeu_si512(out[channel][1] + j, coordinate(two, chroma, max));
    }
  }
}

CK_TARGET_AVX512 void ck_coordinates_avx512(
    const ck_coordinates *map, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, ptrdiff_t pairs,
    ck_row *row) {
  if (ck_is_usual(map))
    map_row(map, y, cb, cr, pairs, row, 1);
  else
    map_row(map, y, cb, cr, pairs, row, 0);
}

#endif
