// The curves before a lattice, for the level that CK_LEVEL names and CK_TARGET allows the compiler, which makes gathers
// of the look-ups.

#include "ck_internal.h"

CK_TARGET static inline void shape_channel(
    const ck_shaper *shaper, int channel, ptrdiff_t pairs, int32_t *restrict row) {
  const int32_t *restrict const points = shaper->points[channel];
  const int32_t bits = shaper->fraction_bits, drop = shaper->drop, max = shaper->max;
  const int64_t half = ((int64_t)1 << drop) >> 1;
  const int32_t mask = (int32_t)((1u << bits) - 1);
  for (ptrdiff_t i = 0; i < pairs; i++) {
    const int32_t *at = points + (row[i] >> bits);
    const int64_t rise = (int64_t)at[1] - at[0];
    row[i] = (int32_t)ck_clamp64((at[0] + (rise * (row[i] & mask) >> bits) + half) >> drop, max);
  }
}

CK_TARGET void CK_LEVEL(shape)(const ck_shaper *shaper, ptrdiff_t pairs, ck_row *row) {
  for (int i = 0; i < 2; i++) {
    shape_channel(shaper, 0, pairs, row->red[i]);
    shape_channel(shaper, 1, pairs, row->green[i]);
    shape_channel(shaper, 2, pairs, row->blue[i]);
  }
}
