#include "ck_internal.h"

// Points of four int16, weights of 14 bits, sums of 32: |point| < 2^14 keeps four pixels' chroma below 2^31.

enum { WEIGHT_BITS = 14, WEIGHT_ONE = 1 << WEIGHT_BITS, STEP_BITS = 17 };

typedef struct sums {
  int32_t y, cb, cr;
} sums;

static inline uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }
static inline uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

static inline uint32_t fraction(int32_t coordinate, int32_t bits) {
  return (uint32_t)(coordinate >> (bits - WEIGHT_BITS)) & (WEIGHT_ONE - 1);
}

static inline sums tetrahedral(
    const int16_t *points, int32_t size, int32_t bits, int32_t red, int32_t green, int32_t blue) {
  const int32_t by_green = size, by_blue = size * size;
  // A fraction above, the way to the next point along its axis below: sorting these sorts both. Equal fractions may
  // come in any order, because the point between them gets weight 0.
  const uint32_t r = fraction(red, bits) << STEP_BITS | 1;
  const uint32_t g = fraction(green, bits) << STEP_BITS | (uint32_t)by_green;
  const uint32_t b = fraction(blue, bits) << STEP_BITS | (uint32_t)by_blue;
  const uint32_t high = larger(larger(r, g), b), low = smaller(smaller(r, g), b), middle = r + g + b - high - low;
  const uint32_t step_mask = (1u << STEP_BITS) - 1;

  const int16_t *p0 = points + 4 * (ptrdiff_t)((red >> bits) + by_green * (green >> bits) + by_blue * (blue >> bits));
  const int16_t *p1 = p0 + 4 * (ptrdiff_t)(high & step_mask);
  const int16_t *p2 = p1 + 4 * (ptrdiff_t)(middle & step_mask);
  const int16_t *p3 = p2 + 4 * (ptrdiff_t)(low & step_mask);
  const int32_t f1 = (int32_t)(high >> STEP_BITS), f2 = (int32_t)(middle >> STEP_BITS);
  const int32_t w3 = (int32_t)(low >> STEP_BITS);
  const int32_t w0 = WEIGHT_ONE - f1, w1 = f1 - f2, w2 = f2 - w3;
  return (sums){
    p0[0] * w0 + p1[0] * w1 + p2[0] * w2 + p3[0] * w3,
    p0[1] * w0 + p1[1] * w1 + p2[1] * w2 + p3[1] * w3,
    p0[2] * w0 + p1[2] * w1 + p2[2] * w2 + p3[2] * w3,
  };
}

static inline sums trilinear(
    const int16_t *points, int32_t size, int32_t bits, int32_t red, int32_t green, int32_t blue) {
  const int32_t by_green = size, by_blue = size * size;
  const int32_t r = (int32_t)fraction(red, bits), g = (int32_t)fraction(green, bits), b = (int32_t)fraction(blue, bits);
  const int32_t half = WEIGHT_ONE / 2;
  // Rounded products, the rest by subtraction: the weights sum to one exactly.
  int32_t near[4], far[4];
  const int32_t both = (r * g + half) >> WEIGHT_BITS;
  const int32_t square[4] = { WEIGHT_ONE - r - g + both, r - both, g - both, both };
  for (int i = 0; i < 4; i++) {
    far[i] = (square[i] * b + half) >> WEIGHT_BITS;
    near[i] = square[i] - far[i];
  }
  const int16_t *p = points + 4 * (ptrdiff_t)((red >> bits) + by_green * (green >> bits) + by_blue * (blue >> bits));
  const ptrdiff_t corner[4] = { 0, 4, 4 * (ptrdiff_t)by_green, 4 * (ptrdiff_t)by_green + 4 };
  const int16_t *q = p + 4 * (ptrdiff_t)by_blue;
  sums result = { 0, 0, 0 };
  for (int i = 0; i < 4; i++) {
    result.y += p[corner[i]] * near[i] + q[corner[i]] * far[i];
    result.cb += p[corner[i] + 1] * near[i] + q[corner[i] + 1] * far[i];
    result.cr += p[corner[i] + 2] * near[i] + q[corner[i] + 2] * far[i];
  }
  return result;
}

#define ROWS(NAME, INTERPOLATE)                                                                                       \
  void NAME(                                                                                                          \
      const ck_table *table, const ck_output *output, const ck_row *row, ptrdiff_t pairs, uint16_t *y, int32_t *cb,   \
      int32_t *cr) {                                                                                                  \
    const int16_t *points = table->points;                                                                            \
    const int32_t size = table->size, bits = table->fraction_bits;                                                    \
    const int32_t y_add = (int32_t)output->y_add, y_shift = output->y_shift, max_code = output->max_code;             \
    for (ptrdiff_t j = 0; j < pairs; j++) {                                                                           \
      const ptrdiff_t i = 2 * j;                                                                                      \
      const sums one = INTERPOLATE(points, size, bits, row->red[i], row->green[i], row->blue[i]);                     \
      const sums two = INTERPOLATE(points, size, bits, row->red[i + 1], row->green[i + 1], row->blue[i + 1]);         \
      y[i] = (uint16_t)ck_clamp((one.y + y_add) >> y_shift, max_code);                                                \
      y[i + 1] = (uint16_t)ck_clamp((two.y + y_add) >> y_shift, max_code);                                            \
      cb[j] = one.cb + two.cb;                                                                                        \
      cr[j] = one.cr + two.cr;                                                                                        \
    }                                                                                                                 \
  }

ROWS(ck_tetrahedral16_c, tetrahedral)
ROWS(ck_trilinear16_c, trilinear)
