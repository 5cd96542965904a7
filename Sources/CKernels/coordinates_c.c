#include "ck_internal.h"

/// A coefficient's whole and fractional part. Whole parts are summed modulo 2^32, which their total does not exceed;
/// together the two sums give the bits that one of 64 would.
typedef struct split {
  uint32_t high;
  int16_t low;
} split;

static inline split split_of(int64_t coefficient) {
  return (split){ (uint32_t)(coefficient >> CK_COORDINATE_SHIFT),
                  (int16_t)(coefficient & ((1 << CK_COORDINATE_SHIFT) - 1)) };
}

static inline void map_channel(
    const ck_coordinates *map, int channel, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, ptrdiff_t pairs,
    int32_t (*restrict out)[CK_PIECE / 2]) {
  const split by_y = split_of(map->y[channel]), by_cb = split_of(map->cb[channel]), by_cr = split_of(map->cr[channel]);
  const split add = split_of(map->add[channel]);
  const int32_t max = map->max;
  for (ptrdiff_t j = 0; j < pairs; j++) {
    // Codes have at most 15 bits. Where the compiler knows, a product of two such numbers is one instruction.
    const int32_t blue = cb[j] & 0x7FFF, red = cr[j] & 0x7FFF, y0 = y[2 * j] & 0x7FFF, y1 = y[2 * j + 1] & 0x7FFF;
    const int32_t low = blue * by_cb.low + red * by_cr.low + add.low;
    const uint32_t high = (uint32_t)blue * by_cb.high + (uint32_t)red * by_cr.high + add.high;
    const uint32_t carry0 = (uint32_t)((y0 * by_y.low + low) >> CK_COORDINATE_SHIFT);
    const uint32_t carry1 = (uint32_t)((y1 * by_y.low + low) >> CK_COORDINATE_SHIFT);
    out[0][j] = ck_clamp((int32_t)((uint32_t)y0 * by_y.high + high + carry0), max);
    out[1][j] = ck_clamp((int32_t)((uint32_t)y1 * by_y.high + high + carry1), max);
  }
}

void ck_coordinates_c(
    const ck_coordinates *map, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, ptrdiff_t pairs,
    ck_row *row) {
  map_channel(map, 0, y, cb, cr, pairs, row->red);
  map_channel(map, 1, y, cb, cr, pairs, row->green);
  map_channel(map, 2, y, cb, cr, pairs, row->blue);
}
