#include "ck_internal.h"

enum {
  /// Rows that the blur takes together.
  CK_GRAIN_ROWS = 2 * CK_GRAIN_RADIUS + 1,
  /// Columns before the first that have noise: a whole number of groups, no fewer than the blur takes.
  CK_GRAIN_MARGIN = 64,
  /// Samples of noise that a piece takes, with room for the hash's last vectors.
  CK_GRAIN_SAMPLES = CK_PIECE + 2 * CK_GRAIN_MARGIN,
};

/// The finalizer of SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014).
static uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/// The noise of one row, blurred along it. Rows above the picture and below it have noise as well.
static void blurred_row(const ck_grain *grain, uint64_t key, int32_t row, int32_t left, int32_t count, int16_t *out) {
  _Alignas(64) int16_t noise[CK_GRAIN_SAMPLES];
  const uint64_t own = mixed(key + 0x9e3779b97f4a7c15u * (uint64_t)(int64_t)(row + CK_GRAIN_ROWS));
  const uint32_t keys[2] = { (uint32_t)own, (uint32_t)(own >> 32) };
  const int32_t margin = (grain->radius + 3) & ~3;
  grain->kernels->grain_noise(
      keys, (uint32_t)(left + CK_GRAIN_MARGIN - margin) / 4, (count + 2 * margin + 3) / 4, noise);
  const int16_t *columns[CK_GRAIN_ROWS];
  columns[0] = noise + margin;
  for (int32_t k = 1; k <= grain->radius; k++) {
    columns[2 * k - 1] = noise + margin - k;
    columns[2 * k] = noise + margin + k;
  }
  grain->kernels->grain_blur(grain->weights, grain->radius, columns, count, out);
}

void ck_noise_rows(
    const ck_grain *grain, uint64_t seed, int64_t frame, int32_t first, int32_t end, int32_t left, int32_t width,
    ck_noise_row_fn *take, const void *context) {
  const uint64_t key = mixed(seed ^ mixed((uint64_t)frame + 1));
  const int32_t radius = grain->radius, rows = 2 * radius + 1;
  _Alignas(64) int16_t ring[CK_GRAIN_ROWS][CK_PIECE];
  _Alignas(64) int16_t noise[CK_PIECE];
  for (int32_t row = first - radius; row < end + radius; row++) {
    // Counted from 0 on, so that the ring's places are, too.
    blurred_row(grain, key, row, left, width, ring[(row - first + radius) % rows]);
    const int32_t at = row - radius;
    if (at < first) continue;
    const int32_t middle = at - first + radius;
    const int16_t *around[CK_GRAIN_ROWS];
    around[0] = ring[middle % rows];
    for (int32_t k = 1; k <= radius; k++) {
      around[2 * k - 1] = ring[(middle - k) % rows];
      around[2 * k] = ring[(middle + k) % rows];
    }
    grain->kernels->grain_blur(grain->weights, radius, around, width, noise);
    take(context, at, left, width, noise);
  }
}

typedef struct luma {
  const ck_grain *grain;
  const ck_picture *picture;
} luma;

/// Adds a piece of a row of noise to the luma of a picture.
static void add_to_luma(const void *context, int32_t row, int32_t left, int32_t width, const int16_t *noise) {
  const luma *to = context;
  const ck_grain *grain = to->grain;
  const ck_layout *layout = &grain->layout;
  const ck_access access = ck_access_of(layout, &layout->y);
  _Alignas(64) uint16_t codes[CK_PIECE];
  uint8_t *const samples = ck_element(to->picture, &layout->y, row, left);
  grain->kernels->load[access](samples, layout->y.offset, width, layout->shift, layout->max_code, codes);
  grain->kernels->grain_add(grain->amplitude, grain->shift, layout->max_code, noise, width, codes);
  grain->kernels->store[access](codes, width, layout->shift, samples + layout->y.offset);
}

void ck_grain_rows(
    const ck_grain *grain, uint64_t seed, int64_t frame, const ck_picture *picture, int32_t first, int32_t end) {
  const luma to = { grain, picture };
  for (int32_t left = 0; left < grain->width; left += CK_PIECE) {
    const int32_t rest = grain->width - left;
    ck_noise_rows(grain, seed, frame, first, end, left, rest < CK_PIECE ? rest : CK_PIECE, add_to_luma, &to);
  }
}
