#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

// The rows of cells as in `lattice16_avx512.c`: Y' and Cb of a pixel are one load of 32 bytes, and the Cr of two pixels
// share another multiplication.

enum { ONE = 1 << CK_NARROW_BITS, FRACTION = ONE - 1, BLOCK = 8 };

/// Where the cells of a block of pairs lie, in bytes, and the corners' weights; lane L of vector k has those of pixel
/// 8 · L + k, so the pixels k = 0, 2, 4, 6 are the first ones of four neighbouring pairs.
typedef struct block {
  int32_t offset[2][BLOCK];
  __m256i weights[8];
} block;

CK_TARGET_AVX2 static inline __m256i word(__m256i first, __m256i second) {
  return _mm256_blend_epi16(first, _mm256_slli_epi32(second, 16), 0xAA);
}

/// As in `lattice16_avx512.c`.
CK_TARGET_AVX2 static inline void tetrahedral(__m256i r, __m256i g, __m256i b, __m256i w[8]) {
  const __m256i rg_max = _mm256_max_epu16(r, g), rb_max = _mm256_max_epu16(r, b), gb_max = _mm256_max_epu16(g, b);
  const __m256i rg_min = _mm256_min_epu16(r, g), rb_min = _mm256_min_epu16(r, b), gb_min = _mm256_min_epu16(g, b);
  w[0] = _mm256_sub_epi16(_mm256_set1_epi16(ONE), _mm256_max_epu16(rg_max, b));
  w[1] = _mm256_subs_epu16(r, gb_max);
  w[2] = _mm256_subs_epu16(g, rb_max);
  w[3] = _mm256_subs_epu16(rg_min, b);
  w[4] = _mm256_subs_epu16(b, rg_max);
  w[5] = _mm256_subs_epu16(rb_min, g);
  w[6] = _mm256_subs_epu16(gb_min, r);
  w[7] = _mm256_min_epu16(rg_min, b);
}

CK_TARGET_AVX2 static inline void trilinear(__m256i r, __m256i g, __m256i b, __m256i w[8]) {
  const __m256i g2 = _mm256_slli_epi16(g, 1), b2 = _mm256_slli_epi16(b, 1);
  const __m256i both = _mm256_mulhrs_epi16(r, g2);
  __m256i square[4];
  square[1] = _mm256_sub_epi16(r, both);
  square[2] = _mm256_sub_epi16(g, both);
  square[3] = both;
  square[0] = _mm256_sub_epi16(_mm256_sub_epi16(_mm256_set1_epi16(ONE), r), square[2]);
  for (int i = 0; i < 4; i++) {
    w[4 + i] = _mm256_mulhrs_epi16(square[i], b2);
    w[i] = _mm256_sub_epi16(square[i], w[4 + i]);
  }
}

/// Transposes 8×8 words in each lane.
CK_TARGET_AVX2 static inline void transpose(const __m256i w[8], __m256i out[8]) {
  __m256i a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[2 * i] = _mm256_unpacklo_epi16(w[2 * i], w[2 * i + 1]);
    a[2 * i + 1] = _mm256_unpackhi_epi16(w[2 * i], w[2 * i + 1]);
  }
  for (int i = 0; i < 2; i++)
    for (int half = 0; half < 2; half++) {
      b[4 * i + 2 * half] = _mm256_unpacklo_epi32(a[4 * i + half], a[4 * i + 2 + half]);
      b[4 * i + 2 * half + 1] = _mm256_unpackhi_epi32(a[4 * i + half], a[4 * i + 2 + half]);
    }
  for (int i = 0; i < 4; i++) {
    out[2 * i] = _mm256_unpacklo_epi64(b[i], b[4 + i]);
    out[2 * i + 1] = _mm256_unpackhi_epi64(b[i], b[4 + i]);
  }
}

CK_TARGET_AVX2 static inline __m256i offset(__m256i r, __m256i g, __m256i b, __m256i by_green, __m256i by_blue) {
  const __m256i red = _mm256_and_si256(_mm256_srli_epi32(r, CK_NARROW_BITS - 6), _mm256_set1_epi32(-64));
  const __m256i green = _mm256_mullo_epi32(_mm256_srli_epi32(g, CK_NARROW_BITS), by_green);
  const __m256i blue = _mm256_mullo_epi32(_mm256_srli_epi32(b, CK_NARROW_BITS), by_blue);
  return _mm256_add_epi32(red, _mm256_add_epi32(green, blue));
}

typedef void weigh(__m256i r, __m256i g, __m256i b, __m256i w[8]);

CK_TARGET_AVX2 static inline __m256i load(const int32_t *coordinates, __m256i mask) {
  return _mm256_maskload_epi32(coordinates, mask);
}

CK_TARGET_AVX2 __attribute__((always_inline)) static inline void prepare(
    int32_t size, const ck_row *row, ptrdiff_t at, ptrdiff_t pairs, weigh *weigh, block *out) {
  // What lies behind the last pair may lead anywhere: it counts as black.
  const __m256i mask =
    _mm256_cmpgt_epi32(_mm256_set1_epi32((int32_t)(pairs - at)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  const __m256i by_green = _mm256_set1_epi32(64 * size), by_blue = _mm256_set1_epi32(64 * size * size);
  __m256i r[2], g[2], b[2];
  for (int i = 0; i < 2; i++) {
    r[i] = load(row->red[i] + at, mask);
    g[i] = load(row->green[i] + at, mask);
    b[i] = load(row->blue[i] + at, mask);
    _mm256_storeu_si256((void *)out->offset[i], offset(r[i], g[i], b[i], by_green, by_blue));
  }
  const __m256i fraction = _mm256_set1_epi16(FRACTION);
  __m256i w[8];
  weigh(
      _mm256_and_si256(word(r[0], r[1]), fraction), _mm256_and_si256(word(g[0], g[1]), fraction),
      _mm256_and_si256(word(b[0], b[1]), fraction), w);
  transpose(w, out->weights);
}

/// Y' and Cb of a pixel, in four parts each.
CK_TARGET_AVX2 static inline __m256i luma_and_blue(const char *cells, int32_t offset, const __m128i *weights) {
  return _mm256_madd_epi16(
      _mm256_load_si256((const void *)(cells + offset)), _mm256_broadcastsi128_si256(_mm_load_si128(weights)));
}

/// Adds the parts of four pixels, in each lane by itself.
CK_TARGET_AVX2 static inline __m256i total(__m256i a, __m256i b, __m256i c, __m256i d) {
  const __m256i ab = _mm256_add_epi32(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
  const __m256i cd = _mm256_add_epi32(_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
  return _mm256_add_epi32(_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd));
}

/// Y' in lane 0 and Cb in lane 1 of four pixels, the first or the second ones of four pairs.
CK_TARGET_AVX2 static inline __m256i four(const char *cells, const block *block, int second, int lane) {
  const int32_t *offset = block->offset[second] + 4 * lane;
  const __m128i *weights = (const __m128i *)(block->weights + second) + lane;
  return total(
      luma_and_blue(cells, offset[0], weights), luma_and_blue(cells, offset[1], weights + 4),
      luma_and_blue(cells, offset[2], weights + 8), luma_and_blue(cells, offset[3], weights + 12));
}

CK_TARGET_AVX2 static inline __m256i red_of(const char *cells, int32_t first, int32_t second, __m256i weights) {
  const __m256i row = _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_load_si128((const void *)(cells + first + 32))),
      _mm_load_si128((const void *)(cells + second + 32)), 1);
  return _mm256_madd_epi16(row, weights);
}

/// Cr of four pixels in each lane: lane L of each vector of weights belongs to the four pairs of lane L.
CK_TARGET_AVX2 static inline __m256i eight_red(const char *cells, const block *block, int second) {
  const int32_t *offset = block->offset[second];
  const __m256i *weights = block->weights + second;
  return total(
      red_of(cells, offset[0], offset[4], weights[0]), red_of(cells, offset[1], offset[5], weights[2]),
      red_of(cells, offset[2], offset[6], weights[4]), red_of(cells, offset[3], offset[7], weights[6]));
}

CK_TARGET_AVX2 static inline void fetch(const char *cells, const block *block) {
  for (int second = 0; second < 2; second++)
    for (int i = 0; i < BLOCK; i++) _mm_prefetch(cells + block->offset[second][i], _MM_HINT_T0);
}

/// What every other pixel's sum gets before it is shifted.
CK_TARGET_AVX2 static inline __m256i addend(const ck_output *output, const uint8_t *rounding) {
  const __m128i thresholds = _mm_setr_epi32(rounding[0], rounding[2], rounding[4], rounding[6]);
  const __m128i scaled = _mm_sll_epi32(thresholds, _mm_cvtsi32_si128(output->y_shift - CK_ROUNDING_BITS));
  return _mm256_add_epi32(_mm256_set1_epi32((int32_t)output->y_add), _mm256_broadcastsi128_si256(scaled));
}

enum { FIRST_LANES = 0x20, SECOND_LANES = 0x31 };

CK_TARGET_AVX2 __attribute__((always_inline)) static inline void interpolate(
    const ck_table *table, const ck_output *output, const ck_row *row, const uint8_t *rounding, ptrdiff_t pairs,
    uint16_t *y, int32_t *cb, int32_t *cr, weigh *weigh) {
  const char *cells = (const char *)table->cells;
  const __m128i shift = _mm_cvtsi32_si128(output->y_shift);
  const __m256i add1 = addend(output, rounding), add2 = addend(output, rounding + 1);
  const __m256i max = _mm256_set1_epi16((int16_t)output->max_code);
  block blocks[CK_PIECE / 2 / BLOCK];
  for (ptrdiff_t at = 0; at < pairs; at += BLOCK) {
    block *const block = &blocks[at / BLOCK];
    prepare(table->size, row, at, pairs, weigh, block);
    // Those of the block before: by now its offsets are in memory.
    if (table->size >= CK_FETCHED_SIZE && at > 0) fetch(cells, block - 1);
  }
  for (ptrdiff_t at = 0; at < pairs; at += BLOCK) {
    const block *const block = &blocks[at / BLOCK];
    const __m256i a1 = four(cells, block, 0, 0), b1 = four(cells, block, 0, 1);
    const __m256i a2 = four(cells, block, 1, 0), b2 = four(cells, block, 1, 1);
    const __m256i blue = _mm256_permute2x128_si256(_mm256_add_epi32(a1, a2), _mm256_add_epi32(b1, b2), SECOND_LANES);
    _mm256_storeu_si256((void *)(cb + at), blue);
    const __m256i red = _mm256_add_epi32(eight_red(cells, block, 0), eight_red(cells, block, 1));
    _mm256_storeu_si256((void *)(cr + at), red);
    const __m256i luma1 = _mm256_permute2x128_si256(a1, b1, FIRST_LANES);
    const __m256i luma2 = _mm256_permute2x128_si256(a2, b2, FIRST_LANES);
    const __m256i one = _mm256_sra_epi32(_mm256_add_epi32(luma1, add1), shift);
    const __m256i two = _mm256_sra_epi32(_mm256_add_epi32(luma2, add2), shift);
    _mm256_storeu_si256(
        (void *)(y + 2 * at), _mm256_min_epi16(_mm256_max_epi16(word(one, two), _mm256_setzero_si256()), max));
  }
}

CK_TARGET_AVX2 void ck_tetrahedral16_avx2(
    const ck_table *table, const ck_output *output, const ck_row *row, const uint8_t *rounding, ptrdiff_t pairs,
    uint16_t *y, int32_t *cb, int32_t *cr) {
  if (!table->cells) return ck_tetrahedral16_c(table, output, row, rounding, pairs, y, cb, cr);
  interpolate(table, output, row, rounding, pairs, y, cb, cr, tetrahedral);
}

CK_TARGET_AVX2 void ck_trilinear16_avx2(
    const ck_table *table, const ck_output *output, const ck_row *row, const uint8_t *rounding, ptrdiff_t pairs,
    uint16_t *y, int32_t *cb, int32_t *cr) {
  if (!table->cells) return ck_trilinear16_c(table, output, row, rounding, pairs, y, cb, cr);
  interpolate(table, output, row, rounding, pairs, y, cb, cr, trilinear);
}

#endif
