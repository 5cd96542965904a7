#include <string.h>

#include "ck_internal.h"

// Points of four int16 and weights of 14 bits, the whole fraction of a coordinate; |point| < 2^14 keeps the chroma of
// four pixels below 2^31.

enum { ONE = 1 << CK_NARROW_BITS, FRACTION = ONE - 1, WAY_BITS = 17, WAY = (1 << WAY_BITS) - 1 };

// Vectors of the compiler, not of an instruction set: one point is one load and four products.
typedef int16_t short4 __attribute__((vector_size(8)));
typedef int32_t int4 __attribute__((vector_size(16)));

static inline int4 weighted(const int16_t *point, int32_t weight) {
  const int16_t w = (int16_t)weight;
  short4 values;
  memcpy(&values, point, sizeof values);
  return __builtin_convertvector(values, int4) * __builtin_convertvector(((short4){ w, w, w, w }), int4);
}

static inline uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }
static inline uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

/// The corner of the cell that is nearest to black.
static inline const int16_t *cell(const ck_table *table, int32_t red, int32_t green, int32_t blue) {
  const int32_t r = red >> CK_NARROW_BITS, g = green >> CK_NARROW_BITS, b = blue >> CK_NARROW_BITS;
  return (const int16_t *)table->points + 4 * (ptrdiff_t)(uint32_t)(r + table->size * (g + table->size * b));
}

static inline int4 tetrahedral(const ck_table *table, int32_t red, int32_t green, int32_t blue) {
  const uint32_t by_green = (uint32_t)table->size, by_blue = by_green * by_green;
  // A fraction above, the way to the next point along its axis below: sorting these sorts both. Equal fractions may
  // come in any order, because the point between them gets weight 0.
  const uint32_t r = (uint32_t)(red & FRACTION) << WAY_BITS | 1;
  const uint32_t g = (uint32_t)(green & FRACTION) << WAY_BITS | by_green;
  const uint32_t b = (uint32_t)(blue & FRACTION) << WAY_BITS | by_blue;
  const uint32_t rg_high = larger(r, g), rg_low = smaller(r, g);
  const uint32_t high = larger(rg_high, b), low = smaller(rg_low, b), middle = larger(rg_low, smaller(rg_high, b));
  const int32_t f1 = (int32_t)(high >> WAY_BITS), f2 = (int32_t)(middle >> WAY_BITS), f3 = (int32_t)(low >> WAY_BITS);

  const int16_t *p0 = cell(table, red, green, blue);
  const int16_t *p1 = p0 + 4 * (ptrdiff_t)(high & WAY), *p3 = p0 + 4 * (ptrdiff_t)(1 + by_green + by_blue);
  const int16_t *p2 = p3 - 4 * (ptrdiff_t)(low & WAY);
  return weighted(p0, ONE - f1) + weighted(p1, f1 - f2) + weighted(p2, f2 - f3) + weighted(p3, f3);
}

static inline int4 trilinear(const ck_table *table, int32_t red, int32_t green, int32_t blue) {
  const int32_t r = red & FRACTION, g = green & FRACTION, b = blue & FRACTION, half = ONE / 2;
  // Rounded products, the rest by subtraction: the weights sum to one exactly.
  const int32_t both = (r * g + half) >> CK_NARROW_BITS;
  const int32_t square[4] = { ONE - r - g + both, r - both, g - both, both };
  const int16_t *near = cell(table, red, green, blue), *far = near + 4 * (ptrdiff_t)table->size * table->size;
  const ptrdiff_t corner[4] = { 0, 4, 4 * (ptrdiff_t)table->size, 4 * (ptrdiff_t)table->size + 4 };
  int4 result = { 0, 0, 0, 0 };
  for (int i = 0; i < 4; i++) {
    const int32_t share = (square[i] * b + half) >> CK_NARROW_BITS;
    result += weighted(near + corner[i], square[i] - share) + weighted(far + corner[i], share);
  }
  return result;
}

#define ROWS(NAME, INTERPOLATE)                                                                                       \
  void NAME(                                                                                                          \
      const ck_table *table, const ck_output *output, const ck_row *row, const uint8_t *rounding, ptrdiff_t pairs,    \
      uint16_t *y, int32_t *cb, int32_t *cr) {                                                                        \
    const ck_table held = *table;                                                                                     \
    const int32_t add = (int32_t)output->y_add, shift = output->y_shift, max_code = output->max_code;                 \
    const int32_t to_sum = shift - CK_ROUNDING_BITS;                                                                  \
    for (ptrdiff_t j = 0; j < pairs; j++) {                                                                           \
      const ptrdiff_t i = 2 * j;                                                                                      \
      const int4 one = INTERPOLATE(&held, row->red[0][j], row->green[0][j], row->blue[0][j]);                         \
      const int4 two = INTERPOLATE(&held, row->red[1][j], row->green[1][j], row->blue[1][j]);                         \
      const int4 sum = one + two;                                                                                     \
      y[i] = (uint16_t)ck_clamp((one[0] + add + (rounding[i] << to_sum)) >> shift, max_code);                         \
      y[i + 1] = (uint16_t)ck_clamp((two[0] + add + (rounding[i + 1] << to_sum)) >> shift, max_code);                 \
      cb[j] = sum[1];                                                                                                 \
      cr[j] = sum[2];                                                                                                 \
    }                                                                                                                 \
  }

ROWS(ck_tetrahedral16_c, tetrahedral)
ROWS(ck_trilinear16_c, trilinear)
