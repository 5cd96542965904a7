// The grain operations, for the level that CK_LEVEL names and CK_TARGET allows the compiler: plain loops, which it
// turns into that level's vectors.

#include <string.h>

#include "ck_internal.h"

/// Noise is made a piece at a time, as hashes and then as samples.
enum { CK_GRAIN_GROUPS = 64 };

// The constants of the hash are those of "triple32", less its last round (C. Wellons, Prospecting for Hash Functions,
// 2018).
CK_TARGET void CK_LEVEL(grain_noise)(
    const uint32_t key[2], uint32_t first, ptrdiff_t groups, int16_t *restrict noise) {
  const uint32_t key0 = key[0], key1 = key[1];
  uint32_t hashes[CK_GRAIN_GROUPS];
  for (ptrdiff_t done = 0; done < groups; done += CK_GRAIN_GROUPS) {
    const ptrdiff_t count = groups - done < CK_GRAIN_GROUPS ? groups - done : CK_GRAIN_GROUPS;
    for (ptrdiff_t i = 0; i < CK_GRAIN_GROUPS; i++) {
      uint32_t hash = (first + (uint32_t)(done + i)) * 0x9e3779b9u + key0;
      hash = (hash ^ hash >> 17) * 0xed5ad4bbu ^ key1;
      hash = (hash ^ hash >> 11) * 0xac4c1b51u;
      hashes[i] = hash ^ hash >> 15;
    }
    int8_t bytes[4 * CK_GRAIN_GROUPS];
    memcpy(bytes, hashes, sizeof bytes);
    for (ptrdiff_t i = 0; i < 4 * count; i++) noise[4 * done + i] = (int16_t)(bytes[i] * 128 + 64);
  }
}

/// The rounded product, as the multiplication instructions for 15-bit fractions give it.
static inline CK_TARGET int16_t CK_LEVEL(grain_product)(int a, int b) { return (int16_t)(((a * b >> 14) + 1) >> 1); }

static inline CK_TARGET __attribute__((always_inline)) void CK_LEVEL(grain_blur_by)(
    const int16_t *weights, int radius, const int16_t *const *rows, ptrdiff_t count, int16_t *restrict out) {
  for (ptrdiff_t i = 0; i < count; i++) {
    int16_t sum = CK_LEVEL(grain_product)(rows[0][i], weights[0]);
    for (int k = 1; k <= radius; k++) {
      const int16_t pair = (int16_t)(rows[2 * k - 1][i] + rows[2 * k][i]);
      sum = (int16_t)(sum + CK_LEVEL(grain_product)(pair, weights[k]));
    }
    out[i] = sum;
  }
}

CK_TARGET void CK_LEVEL(grain_blur)(
    const int16_t *weights, int radius, const int16_t *const *rows, ptrdiff_t count, int16_t *restrict out) {
  // Up to 3000 rows the grain has the size of a pixel: sums in registers.
  if (radius == 3) {
    const int16_t *const kept[7] = { rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6] };
    const int16_t own[4] = { weights[0], weights[1], weights[2], weights[3] };
    CK_LEVEL(grain_blur_by)(own, 3, kept, count, out);
    return;
  }
  for (ptrdiff_t i = 0; i < count; i++) out[i] = CK_LEVEL(grain_product)(rows[0][i], weights[0]);
  for (int k = 1; k <= radius; k++) {
    const int16_t *const before = rows[2 * k - 1], *const behind = rows[2 * k];
    const int16_t weight = weights[k];
    for (ptrdiff_t i = 0; i < count; i++)
      out[i] = (int16_t)(out[i] + CK_LEVEL(grain_product)((int16_t)(before[i] + behind[i]), weight));
  }
}

CK_TARGET void CK_LEVEL(grain_add)(
    const uint16_t *amplitude, int shift, uint16_t max_code, const int16_t *restrict noise, ptrdiff_t count,
    uint16_t *restrict codes) {
  uint16_t amplitudes[CK_PIECE];
  for (ptrdiff_t i = 0; i < count; i++) amplitudes[i] = amplitude[codes[i]];
  const int32_t half = 1 << (shift - 1);
  for (ptrdiff_t i = 0; i < count; i++) {
    const int32_t code = codes[i] + ((noise[i] * (int32_t)amplitudes[i] + half) >> shift);
    codes[i] = (uint16_t)ck_clamp(code, max_code);
  }
}
