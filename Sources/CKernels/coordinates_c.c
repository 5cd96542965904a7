#include "ck_internal.h"

static inline void map_channel(
    const ck_coordinates *map, int channel, const uint16_t *y, const uint16_t *cb, const uint16_t *cr,
    ptrdiff_t pairs, int32_t *out) {
  const int64_t by_y = map->y[channel], by_cb = map->cb[channel], by_cr = map->cr[channel];
  const int64_t add = map->add[channel];
  const int32_t max = map->max;
  for (ptrdiff_t j = 0; j < pairs; j++) {
    const int64_t chroma = cb[j] * by_cb + cr[j] * by_cr + add;
    out[2 * j] = ck_clamp((int32_t)((y[2 * j] * by_y + chroma) >> CK_COORDINATE_SHIFT), max);
    out[2 * j + 1] = ck_clamp((int32_t)((y[2 * j + 1] * by_y + chroma) >> CK_COORDINATE_SHIFT), max);
  }
}

void ck_coordinates_c(
    const ck_coordinates *map, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, ptrdiff_t pairs,
    ck_row *row) {
  map_channel(map, 0, y, cb, cr, pairs, row->red);
  map_channel(map, 1, y, cb, cr, pairs, row->green);
  map_channel(map, 2, y, cb, cr, pairs, row->blue);
}

static inline void shape_channel(const ck_shaper *shaper, int channel, ptrdiff_t count, int32_t *row) {
  const int32_t *points = shaper->points[channel];
  const int32_t bits = shaper->fraction_bits, add = shaper->add, max = shaper->max;
  const int32_t mask = (int32_t)((1u << bits) - 1);
  for (ptrdiff_t i = 0; i < count; i++) {
    const int32_t *at = points + (row[i] >> bits);
    const int64_t rise = (int64_t)at[1] - at[0];
    row[i] = (int32_t)ck_clamp64(at[0] + (rise * (row[i] & mask) >> bits) + add, max);
  }
}

void ck_shape_c(const ck_shaper *shaper, ptrdiff_t count, ck_row *row) {
  shape_channel(shaper, 0, count, row->red);
  shape_channel(shaper, 1, count, row->green);
  shape_channel(shaper, 2, count, row->blue);
}
