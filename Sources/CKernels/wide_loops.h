// The kernels for tables that 16 bits cannot hold closely enough, and for curves: points of four int32, weights with
// all the bits of the coordinate, sums of 64. For the level that CK_LEVEL names and CK_TARGET allows the compiler,
// which makes gathers of the look-ups where it finds that faster.

#include "ck_internal.h"

typedef struct sums {
  int64_t y, cb, cr;
} sums;

CK_TARGET static inline void add_point(sums *sums, const int32_t *point, int64_t weight) {
  sums->y += point[0] * weight;
  sums->cb += point[1] * weight;
  sums->cr += point[2] * weight;
}

typedef struct step {
  int64_t fraction;
  ptrdiff_t way;  ///< to the next point along the axis
} step;

CK_TARGET static inline void order(step *a, step *b) {
  if (a->fraction >= b->fraction) return;
  const step swap = *a;
  *a = *b;
  *b = swap;
}

CK_TARGET static inline sums tetrahedral(const ck_table *table, int32_t red, int32_t green, int32_t blue) {
  const int32_t bits = table->fraction_bits, mask = (int32_t)((1u << bits) - 1);
  const ptrdiff_t by_green = 4 * (ptrdiff_t)table->size, by_blue = by_green * table->size;
  step a = { red & mask, 4 }, b = { green & mask, by_green }, c = { blue & mask, by_blue };
  order(&a, &b);
  order(&b, &c);
  order(&a, &b);
  const int32_t *point = table->points;
  point += 4 * (red >> bits) + by_green * (green >> bits) + by_blue * (blue >> bits);
  sums result = { 0, 0, 0 };
  add_point(&result, point, ((int64_t)1 << bits) - a.fraction);
  add_point(&result, point += a.way, a.fraction - b.fraction);
  add_point(&result, point += b.way, b.fraction - c.fraction);
  add_point(&result, point += c.way, c.fraction);
  return result;
}

CK_TARGET static inline sums trilinear(const ck_table *table, int32_t red, int32_t green, int32_t blue) {
  const int32_t bits = table->fraction_bits, mask = (int32_t)((1u << bits) - 1);
  const ptrdiff_t by_green = 4 * (ptrdiff_t)table->size, by_blue = by_green * table->size;
  const int64_t r = red & mask, g = green & mask, b = blue & mask;
  const int64_t one = (int64_t)1 << bits, half = one >> 1;
  const int64_t both = (r * g + half) >> bits;
  const int64_t square[4] = { one - r - g + both, r - both, g - both, both };
  const ptrdiff_t corner[4] = { 0, 4, by_green, by_green + 4 };
  const int32_t *point = table->points;
  point += 4 * (red >> bits) + by_green * (green >> bits) + by_blue * (blue >> bits);
  sums result = { 0, 0, 0 };
  for (int i = 0; i < 4; i++) {
    const int64_t far = (square[i] * b + half) >> bits;
    add_point(&result, point + corner[i], square[i] - far);
    add_point(&result, point + corner[i] + by_blue, far);
  }
  return result;
}

CK_TARGET static inline void add_curve(sums *sums, const ck_table *table, int channel, int32_t coordinate) {
  const int32_t bits = table->fraction_bits;
  const int64_t fraction = coordinate & (int32_t)((1u << bits) - 1);
  const int32_t *point = table->points;
  point += 4 * ((ptrdiff_t)channel * (table->size + 1) + (coordinate >> bits));
  add_point(sums, point, ((int64_t)1 << bits) - fraction);
  add_point(sums, point + 4, fraction);
}

CK_TARGET static inline sums curves(const ck_table *table, int32_t red, int32_t green, int32_t blue) {
  sums result = { 0, 0, 0 };
  add_curve(&result, table, 0, red);
  add_curve(&result, table, 1, green);
  add_curve(&result, table, 2, blue);
  return result;
}

#define ROWS(NAME, INTERPOLATE)                                                                                       \
  CK_TARGET void CK_LEVEL(NAME)(                                                                                      \
      const ck_table *table, const ck_output *output, const ck_row *row, const uint8_t *rounding, ptrdiff_t pairs,    \
      uint16_t *restrict y, int32_t *restrict cb, int32_t *restrict cr) {                                             \
    const int64_t add = output->y_add, max_code = output->max_code;                                                   \
    const int32_t shift = output->y_shift, drop = output->chroma_drop;                                                \
    for (ptrdiff_t j = 0; j < pairs; j++) {                                                                           \
      const ptrdiff_t i = 2 * j;                                                                                      \
      const sums one = INTERPOLATE(table, row->red[0][j], row->green[0][j], row->blue[0][j]);                         \
      const sums two = INTERPOLATE(table, row->red[1][j], row->green[1][j], row->blue[1][j]);                         \
      const int64_t threshold1 = ((int64_t)rounding[i] << shift) >> CK_ROUNDING_BITS;                                 \
      const int64_t threshold2 = ((int64_t)rounding[i + 1] << shift) >> CK_ROUNDING_BITS;                             \
      y[i] = (uint16_t)ck_clamp64((one.y + add + threshold1) >> shift, max_code);                                     \
      y[i + 1] = (uint16_t)ck_clamp64((two.y + add + threshold2) >> shift, max_code);                                 \
      cb[j] = (int32_t)((one.cb + two.cb) >> drop);                                                                   \
      cr[j] = (int32_t)((one.cr + two.cr) >> drop);                                                                   \
    }                                                                                                                 \
  }

ROWS(tetrahedral32, tetrahedral)
ROWS(trilinear32, trilinear)
ROWS(curves, curves)
