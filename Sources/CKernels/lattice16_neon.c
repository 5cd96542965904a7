#include "ck_internal.h"

#if defined(__aarch64__)
#include <arm_neon.h>

// The points as in `lattice16_c.c`, the tetrahedra of four pixels found at a time.

enum { ONE = 1 << CK_NARROW_BITS, FRACTION = ONE - 1, WAY_BITS = 17, WAY = (1 << WAY_BITS) - 1, BLOCK = 4 };

/// The four points of four pixels, as numbers of points from the start of the table, and their weights.
typedef struct tetrahedra {
  uint32_t point[4][BLOCK];
  int16_t weights[BLOCK][4];
} tetrahedra;

static inline uint32x4_t sortable(uint32x4_t coordinate, uint32x4_t way) {
  return vorrq_u32(vshlq_n_u32(vandq_u32(coordinate, vdupq_n_u32(FRACTION)), WAY_BITS), way);
}

static inline int16x4_t narrow(uint32x4_t weight) { return vreinterpret_s16_u16(vmovn_u32(weight)); }

static inline tetrahedra find(uint32_t size, uint32x4_t red, uint32x4_t green, uint32x4_t blue) {
  const uint32x4_t by_red = vdupq_n_u32(1), by_green = vdupq_n_u32(size), by_blue = vdupq_n_u32(size * size);
  const uint32x4_t r = sortable(red, by_red), g = sortable(green, by_green), b = sortable(blue, by_blue);
  const uint32x4_t rg_high = vmaxq_u32(r, g), rg_low = vminq_u32(r, g);
  const uint32x4_t high = vmaxq_u32(rg_high, b), low = vminq_u32(rg_low, b);
  const uint32x4_t middle = vmaxq_u32(rg_low, vminq_u32(rg_high, b));
  const uint32x4_t f1 = vshrq_n_u32(high, WAY_BITS), f2 = vshrq_n_u32(middle, WAY_BITS);
  const uint32x4_t f3 = vshrq_n_u32(low, WAY_BITS), way = vdupq_n_u32(WAY);

  uint32x4_t p0 = vshrq_n_u32(red, CK_NARROW_BITS);
  p0 = vmlaq_u32(p0, vshrq_n_u32(green, CK_NARROW_BITS), by_green);
  p0 = vmlaq_u32(p0, vshrq_n_u32(blue, CK_NARROW_BITS), by_blue);
  const uint32x4_t p3 = vaddq_u32(p0, vdupq_n_u32(1 + size + size * size));
  tetrahedra found;
  vst1q_u32(found.point[0], p0);
  vst1q_u32(found.point[1], vaddq_u32(p0, vandq_u32(high, way)));
  vst1q_u32(found.point[2], vsubq_u32(p3, vandq_u32(low, way)));
  vst1q_u32(found.point[3], p3);
  const int16x4x4_t weights = { { narrow(vsubq_u32(vdupq_n_u32(ONE), f1)), narrow(vsubq_u32(f1, f2)),
                                  narrow(vsubq_u32(f2, f3)), narrow(f3) } };
  vst4_s16(&found.weights[0][0], weights);
  return found;
}

static inline int32x4_t pixel(const int16_t *points, const tetrahedra *from, int i) {
  const int16x4_t w = vld1_s16(from->weights[i]);
  int32x4_t sum = vmull_lane_s16(vld1_s16(points + 4 * (size_t)from->point[0][i]), w, 0);
  sum = vmlal_lane_s16(sum, vld1_s16(points + 4 * (size_t)from->point[1][i]), w, 1);
  sum = vmlal_lane_s16(sum, vld1_s16(points + 4 * (size_t)from->point[2][i]), w, 2);
  return vmlal_lane_s16(sum, vld1_s16(points + 4 * (size_t)from->point[3][i]), w, 3);
}

/// Y', Cb, Cr of the first or second pixels of four pairs. What lies behind the last pair may lead anywhere: it counts
/// as black.
static inline int32x4x4_t four(const ck_table *table, const ck_row *row, int second, ptrdiff_t at, uint32x4_t mask) {
  const uint32x4_t red = vandq_u32(vreinterpretq_u32_s32(vld1q_s32(row->red[second] + at)), mask);
  const uint32x4_t green = vandq_u32(vreinterpretq_u32_s32(vld1q_s32(row->green[second] + at)), mask);
  const uint32x4_t blue = vandq_u32(vreinterpretq_u32_s32(vld1q_s32(row->blue[second] + at)), mask);
  const tetrahedra from = find((uint32_t)table->size, red, green, blue);
  int32_t sums[4][4];
  for (int i = 0; i < 4; i++) vst1q_s32(sums[i], pixel(table->points, &from, i));
  return vld4q_s32(&sums[0][0]);
}

/// What every other pixel's sum gets before it is shifted.
static inline int32x4_t addend(const ck_output *output, const uint8_t *rounding) {
  const int32_t thresholds[4] = { rounding[0], rounding[2], rounding[4], rounding[6] };
  const int32x4_t to_sum = vdupq_n_s32(output->y_shift - CK_ROUNDING_BITS);
  return vaddq_s32(vdupq_n_s32((int32_t)output->y_add), vshlq_s32(vld1q_s32(thresholds), to_sum));
}

void ck_tetrahedral16_neon(
    const ck_table *table, const ck_output *output, const ck_row *row, const uint8_t *rounding, ptrdiff_t pairs,
    uint16_t *y, int32_t *cb, int32_t *cr) {
  const int32_t numbers[4] = { 0, 1, 2, 3 };
  const int32x4_t number = vld1q_s32(numbers), down = vdupq_n_s32(-output->y_shift);
  const int32x4_t add1 = addend(output, rounding), add2 = addend(output, rounding + 1);
  const uint16x4_t max = vdup_n_u16((uint16_t)output->max_code);
  for (ptrdiff_t at = 0; at < pairs; at += BLOCK) {
    const uint32x4_t mask = vcltq_s32(number, vdupq_n_s32((int32_t)(pairs - at)));
    const int32x4x4_t one = four(table, row, 0, at, mask), two = four(table, row, 1, at, mask);
    vst1q_s32(cb + at, vaddq_s32(one.val[1], two.val[1]));
    vst1q_s32(cr + at, vaddq_s32(one.val[2], two.val[2]));
    // To unsigned 16 bits with saturation: what is below 0 becomes 0.
    const uint16x4_t first = vmin_u16(vqmovun_s32(vshlq_s32(vaddq_s32(one.val[0], add1), down)), max);
    const uint16x4_t second = vmin_u16(vqmovun_s32(vshlq_s32(vaddq_s32(two.val[0], add2), down)), max);
    const uint16x4x2_t codes = { { first, second } };
    vst2_u16(y + 2 * at, codes);
  }
}

#endif
