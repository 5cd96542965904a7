#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

// One 64-byte row per cell holds its eight corners, in lane 0 their Y', in lane 1 Cb, in lane 2 Cr: a pixel is one load
// and one multiplication by its eight weights, which stand in every lane.

enum { ONE = 1 << CK_NARROW_BITS, FRACTION = ONE - 1, BLOCK = 16 };

/// Where the cells of a block of pairs lie, in bytes, and the corners' weights; lane L of vector k has those of pixel
/// 8 · L + k, so the pixels k = 0, 2, 4, 6 are the first ones of four neighbouring pairs.
typedef struct block {
  _Alignas(64) int32_t offset[2][BLOCK];
  __m128i weights[8][4];
} block;

CK_TARGET_AVX512 static inline __m512i word(__m512i first, __m512i second) {
  return _mm512_mask_blend_epi16(0xAAAAAAAA, first, _mm512_slli_epi32(second, 16));
}

/// Corner weights in the order of the corners: bit 0 is red, bit 1 green, bit 2 blue. A corner outside the pixel's
/// tetrahedron gets 0, and at equal fractions the doubtful one does, so that nothing has to be sorted.
CK_TARGET_AVX512 static inline void tetrahedral(__m512i r, __m512i g, __m512i b, __m512i w[8]) {
  const __m512i rg_max = _mm512_max_epu16(r, g), rb_max = _mm512_max_epu16(r, b), gb_max = _mm512_max_epu16(g, b);
  const __m512i rg_min = _mm512_min_epu16(r, g), rb_min = _mm512_min_epu16(r, b), gb_min = _mm512_min_epu16(g, b);
  w[0] = _mm512_sub_epi16(_mm512_set1_epi16(ONE), _mm512_max_epu16(rg_max, b));
  w[1] = _mm512_subs_epu16(r, gb_max);
  w[2] = _mm512_subs_epu16(g, rb_max);
  w[3] = _mm512_subs_epu16(rg_min, b);
  w[4] = _mm512_subs_epu16(b, rg_max);
  w[5] = _mm512_subs_epu16(rb_min, g);
  w[6] = _mm512_subs_epu16(gb_min, r);
  w[7] = _mm512_min_epu16(rg_min, b);
}

/// The products rounded as in `lattice16_c.c`.
CK_TARGET_AVX512 static inline void trilinear(__m512i r, __m512i g, __m512i b, __m512i w[8]) {
  const __m512i g2 = _mm512_slli_epi16(g, 1), b2 = _mm512_slli_epi16(b, 1);
  const __m512i both = _mm512_mulhrs_epi16(r, g2);
  __m512i square[4];
  square[1] = _mm512_sub_epi16(r, both);
  square[2] = _mm512_sub_epi16(g, both);
  square[3] = both;
  square[0] = _mm512_sub_epi16(_mm512_sub_epi16(_mm512_set1_epi16(ONE), r), square[2]);
  for (int i = 0; i < 4; i++) {
    w[4 + i] = _mm512_mulhrs_epi16(square[i], b2);
    w[i] = _mm512_sub_epi16(square[i], w[4 + i]);
  }
}

/// Transposes 8×8 words in each lane.
CK_TARGET_AVX512 static inline void transpose(__m512i w[8], __m512i out[8]) {
  __m512i a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[2 * i] = _mm512_unpacklo_epi16(w[2 * i], w[2 * i + 1]);
    a[2 * i + 1] = _mm512_unpackhi_epi16(w[2 * i], w[2 * i + 1]);
  }
  for (int i = 0; i < 2; i++)
    for (int half = 0; half < 2; half++) {
      b[4 * i + 2 * half] = _mm512_unpacklo_epi32(a[4 * i + half], a[4 * i + 2 + half]);
      b[4 * i + 2 * half + 1] = _mm512_unpackhi_epi32(a[4 * i + half], a[4 * i + 2 + half]);
    }
  for (int i = 0; i < 4; i++) {
    out[2 * i] = _mm512_unpacklo_epi64(b[i], b[4 + i]);
    out[2 * i + 1] = _mm512_unpackhi_epi64(b[i], b[4 + i]);
  }
}

CK_TARGET_AVX512 static inline __m512i offset(__m512i r, __m512i g, __m512i b, __m512i by_green, __m512i by_blue) {
  const __m512i red = _mm512_and_si512(_mm512_srli_epi32(r, CK_NARROW_BITS - 6), _mm512_set1_epi32(-64));
  const __m512i green = _mm512_mullo_epi32(_mm512_srli_epi32(g, CK_NARROW_BITS), by_green);
  const __m512i blue = _mm512_mullo_epi32(_mm512_srli_epi32(b, CK_NARROW_BITS), by_blue);
  return _mm512_add_epi32(red, _mm512_add_epi32(green, blue));
}

typedef void weigh(__m512i r, __m512i g, __m512i b, __m512i w[8]);

CK_TARGET_AVX512 __attribute__((always_inline)) static inline void prepare(
    int32_t size, const ck_row *row, ptrdiff_t at, ptrdiff_t pairs, weigh *weigh, block *out) {
  const __mmask16 mask = pairs - at >= BLOCK ? 0xFFFF : (__mmask16)((1u << (pairs - at)) - 1);
  const __m512i by_green = _mm512_set1_epi32(64 * size), by_blue = _mm512_set1_epi32(64 * size * size);
  __m512i r[2], g[2], b[2];
  for (int i = 0; i < 2; i++) {
    r[i] = _mm512_maskz_loadu_epi32(mask, row->red[i] + at);
    g[i] = _mm512_maskz_loadu_epi32(mask, row->green[i] + at);
    b[i] = _mm512_maskz_loadu_epi32(mask, row->blue[i] + at);
    _mm512_storeu_si512(out->offset[i], offset(r[i], g[i], b[i], by_green, by_blue));
  }
  const __m512i fraction = _mm512_set1_epi16(FRACTION);
  __m512i w[8], turned[8];
  weigh(
      _mm512_and_si512(word(r[0], r[1]), fraction), _mm512_and_si512(word(g[0], g[1]), fraction),
      _mm512_and_si512(word(b[0], b[1]), fraction), w);
  transpose(w, turned);
  for (int i = 0; i < 8; i++) _mm512_storeu_si512(out->weights[i], turned[i]);
}

CK_TARGET_AVX512 static inline __m512i pixel(const char *cells, int32_t offset, const __m128i *weights) {
  return _mm512_madd_epi16(
      _mm512_load_si512(cells + offset), _mm512_broadcast_i32x4(_mm_load_si128(weights)));
}

/// Four pixels' sums: Y' in lane 0, Cb in 1, Cr in 2.
CK_TARGET_AVX512 static inline __m512i four(const char *cells, const block *block, int second, int lane) {
  const int32_t *offset = block->offset[second] + 4 * lane;
  const __m512i a = pixel(cells, offset[0], &block->weights[second][lane]);
  const __m512i b = pixel(cells, offset[1], &block->weights[2 + second][lane]);
  const __m512i c = pixel(cells, offset[2], &block->weights[4 + second][lane]);
  const __m512i d = pixel(cells, offset[3], &block->weights[6 + second][lane]);
  const __m512i ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
  const __m512i cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
  return _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
}

enum { LANES_01 = 0x44, LANES_23 = 0xEE, EVEN_LANES = 0x88, ODD_LANES = 0xDD };

CK_TARGET_AVX512 static inline __m512i first_lanes(const __m512i v[4]) {
  return _mm512_shuffle_i32x4(
      _mm512_shuffle_i32x4(v[0], v[1], LANES_01), _mm512_shuffle_i32x4(v[2], v[3], LANES_01), EVEN_LANES);
}

CK_TARGET_AVX512 static inline void fetch(const char *cells, const block *block) {
  for (int second = 0; second < 2; second++)
    for (int i = 0; i < BLOCK; i++) _mm_prefetch(cells + block->offset[second][i], _MM_HINT_T0);
}

/// What every other pixel's sum gets before it is shifted.
CK_TARGET_AVX512 static inline __m512i addend(const ck_output *output, const uint8_t *rounding) {
  const __m128i thresholds = _mm_setr_epi32(rounding[0], rounding[2], rounding[4], rounding[6]);
  const __m128i scaled = _mm_sll_epi32(thresholds, _mm_cvtsi32_si128(output->y_shift - CK_ROUNDING_BITS));
  return _mm512_add_epi32(_mm512_set1_epi32((int32_t)output->y_add), _mm512_broadcast_i32x4(scaled));
}

CK_TARGET_AVX512 __attribute__((always_inline)) static inline void interpolate(
    const ck_table *table, const ck_output *output, const ck_row *row, const uint8_t *rounding, ptrdiff_t pairs,
    uint16_t *y, int32_t *cb, int32_t *cr, weigh *weigh) {
  const char *cells = (const char *)table->cells;
  const __m128i shift = _mm_cvtsi32_si128(output->y_shift);
  const __m512i add1 = addend(output, rounding), add2 = addend(output, rounding + 1);
  const __m512i max = _mm512_set1_epi16((int16_t)output->max_code);
  block blocks[CK_PIECE / 2 / BLOCK];
  for (ptrdiff_t at = 0; at < pairs; at += BLOCK) {
    block *const block = &blocks[at / BLOCK];
    prepare(table->size, row, at, pairs, weigh, block);
    // Those of the block before: by now its offsets are in memory.
    if (table->size >= CK_FETCHED_SIZE && at > 0) fetch(cells, block - 1);
  }
  for (ptrdiff_t at = 0; at < pairs; at += BLOCK) {
    const block *const block = &blocks[at / BLOCK];
    __m512i first[4], second[4], sum[4];
    for (int lane = 0; lane < 4; lane++) {
      first[lane] = four(cells, block, 0, lane);
      second[lane] = four(cells, block, 1, lane);
      sum[lane] = _mm512_add_epi32(first[lane], second[lane]);
    }
    const __m512i low = _mm512_shuffle_i32x4(sum[0], sum[1], LANES_01);
    const __m512i high = _mm512_shuffle_i32x4(sum[2], sum[3], LANES_01);
    _mm512_storeu_si512(cb + at, _mm512_shuffle_i32x4(low, high, ODD_LANES));
    _mm512_storeu_si512(
        cr + at, _mm512_shuffle_i32x4(
                     _mm512_shuffle_i32x4(sum[0], sum[1], LANES_23), _mm512_shuffle_i32x4(sum[2], sum[3], LANES_23),
                     EVEN_LANES));
    const __m512i one = _mm512_sra_epi32(_mm512_add_epi32(first_lanes(first), add1), shift);
    const __m512i two = _mm512_sra_epi32(_mm512_add_epi32(first_lanes(second), add2), shift);
    _mm512_storeu_si512(
        y + 2 * at, _mm512_min_epi16(_mm512_max_epi16(word(one, two), _mm512_setzero_si512()), max));
  }
}

CK_TARGET_AVX512 void ck_tetrahedral16_avx512(
    const ck_table *table, const ck_output *output, const ck_row *row, const uint8_t *rounding, ptrdiff_t pairs,
    uint16_t *y, int32_t *cb, int32_t *cr) {
  if (!table->cells) return ck_tetrahedral16_c(table, output, row, rounding, pairs, y, cb, cr);
  interpolate(table, output, row, rounding, pairs, y, cb, cr, tetrahedral);
}

CK_TARGET_AVX512 void ck_trilinear16_avx512(
    const ck_table *table, const ck_output *output, const ck_row *row, const uint8_t *rounding, ptrdiff_t pairs,
    uint16_t *y, int32_t *cb, int32_t *cr) {
  if (!table->cells) return ck_trilinear16_c(table, output, row, rounding, pairs, y, cb, cr);
  interpolate(table, output, row, rounding, pairs, y, cb, cr, trilinear);
}

#endif
