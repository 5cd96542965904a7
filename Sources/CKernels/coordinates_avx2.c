#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

/// What luma, or chroma and the constant, add to a coordinate: the part below the point, and the one above.
typedef struct parts {
  __m256i low, high;
} parts;

CK_TARGET_AVX2 static inline parts constant(int64_t coefficient) {
  return (parts){ _mm256_set1_epi32((int32_t)(coefficient & ((1 << CK_COORDINATE_SHIFT) - 1))),
                  _mm256_set1_epi32((int32_t)(coefficient >> CK_COORDINATE_SHIFT)) };
}

CK_TARGET_AVX2 static inline parts times(__m256i codes, int64_t coefficient) {
  const parts by = constant(coefficient);
  return (parts){ _mm256_madd_epi16(codes, by.low), _mm256_mullo_epi32(codes, by.high) };
}

CK_TARGET_AVX2 static inline parts sum(parts a, parts b) {
  return (parts){ _mm256_add_epi32(a.low, b.low), _mm256_add_epi32(a.high, b.high) };
}

/// Cb in the low words and Cr in the high ones by two coefficients whose whole parts have 16 bits.
CK_TARGET_AVX2 static inline parts products(__m256i chroma, int64_t by_blue, int64_t by_red) {
  const int64_t mask = (1 << CK_COORDINATE_SHIFT) - 1;
  const int64_t low = (by_blue & mask) | (by_red & mask) << 16;
  const int64_t high = (by_blue >> CK_COORDINATE_SHIFT & 0xFFFF) | (by_red >> CK_COORDINATE_SHIFT) * 65536;
  return (parts){ _mm256_madd_epi16(chroma, _mm256_set1_epi32((int32_t)low)),
                  _mm256_madd_epi16(chroma, _mm256_set1_epi32((int32_t)high)) };
}

CK_TARGET_AVX2 static inline __m256i coordinate(parts luma, parts chroma, __m256i max) {
  const parts both = sum(luma, chroma);
  const __m256i whole = _mm256_add_epi32(both.high, _mm256_srai_epi32(both.low, CK_COORDINATE_SHIFT));
  return _mm256_min_epi32(_mm256_max_epi32(whole, _mm256_setzero_si256()), max);
}

/// - usual: `ck_is_usual` holds.
CK_TARGET_AVX2 __attribute__((always_inline)) static inline void map_row(
    const ck_coordinates *map, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, ptrdiff_t pairs, ck_row *row,
    int usual) {
  int32_t(*const out[3])[CK_PIECE / 2] = { row->red, row->green, row->blue };
  const __m256i max = _mm256_set1_epi32(map->max);
  for (ptrdiff_t j = 0; j < pairs; j += 8) {
    const __m256i blue = _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)(cb + j)));
    const __m256i red = _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)(cr + j)));
    const __m256i both = _mm256_or_si256(blue, _mm256_slli_epi32(red, 16));
    const __m256i codes = _mm256_loadu_si256((const void *)(y + 2 * j));
    const __m256i first = _mm256_and_si256(codes, _mm256_set1_epi32(0xFFFF)), second = _mm256_srli_epi32(codes, 16);
    parts one = times(first, map->y[0]), two = times(second, map->y[0]);
    for (int channel = 0; channel < 3; channel++) {
      const int64_t by_blue = map->cb[channel], by_red = map->cr[channel];
      if (!usual) one = times(first, map->y[channel]), two = times(second, map->y[channel]);
      const parts made = usual ? products(both, by_blue, by_red) : sum(times(blue, by_blue), times(red, by_red));
      const parts chroma = sum(made, constant(map->add[channel]));
      _mm256_storeu_si256((void *)(out[channel][0] + j), coordinate(one, chroma, max));
      _mm256_storeu_si256((void *)(out[channel][1] + j), coordinate(two, chroma, max));
    }
  }
}

CK_TARGET_AVX2 void ck_coordinates_avx2(
    const ck_coordinates *map, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, ptrdiff_t pairs,
    ck_row *row) {
  if (ck_is_usual(map))
    map_row(map, y, cb, cr, pairs, row, 1);
  else
    map_row(map, y, cb, cr, pairs, row, 0);
}

#endif
