// The operations on pictures of frames, for the level that CK_LEVEL names and CK_TARGET allows the compiler.

#include <string.h>

#include "ck_internal.h"

// MARK: Area averages

CK_TARGET void CK_LEVEL(scale_begin)(
    const uint16_t *restrict codes, uint32_t weight, ptrdiff_t count, uint32_t *restrict sums) {
  for (ptrdiff_t i = 0; i < count; i++) sums[i] = codes[i] * weight;
}

CK_TARGET void CK_LEVEL(scale_add)(
    const uint16_t *restrict codes, uint32_t weight, ptrdiff_t count, uint32_t *restrict sums) {
  for (ptrdiff_t i = 0; i < count; i++) sums[i] += codes[i] * weight;
}

CK_TARGET void CK_LEVEL(scale_across)(
    const ck_axis *axis, ptrdiff_t first, ptrdiff_t count, const uint32_t *restrict sums, uint16_t *restrict codes) {
  enum { SHIFT = 2 * CK_SCALE_BITS, PIECE = 64 };
  const int32_t begin = axis->first[first];
  for (ptrdiff_t left = 0; left < count; left += PIECE) {
    const ptrdiff_t width = count - left < PIECE ? count - left : PIECE;
    const int32_t *restrict const from = axis->first + first + left;
    uint64_t totals[PIECE];
    for (ptrdiff_t i = 0; i < PIECE; i++) totals[i] = (uint64_t)1 << (SHIFT - 1);
    for (int32_t tap = 0; tap < axis->taps; tap++) {
      const uint32_t *restrict const weights = axis->weights + (ptrdiff_t)tap * axis->count + first + left;
      const int32_t offset = tap - begin;
      for (ptrdiff_t i = 0; i < width; i++) totals[i] += (uint64_t)sums[from[i] + offset] * weights[i];
    }
    for (ptrdiff_t i = 0; i < width; i++) codes[left + i] = (uint16_t)(totals[i] >> SHIFT);
  }
}

CK_TARGET void CK_LEVEL(box_add)(const uint16_t *restrict codes, ptrdiff_t count, uint16_t *restrict sums) {
  for (ptrdiff_t i = 0; i < count; i++) sums[i] = (uint16_t)(sums[i] + codes[i]);
}

// Samples side by side are taken as one number, which vectors split faster than they gather. Both ends come first on
// machines that store the other way around, and the sum is the same.
CK_TARGET void CK_LEVEL(box_across)(
    int box, int shift, ptrdiff_t count, const uint16_t *restrict sums, uint16_t *restrict codes) {
  const uint32_t half = (1u << shift) >> 1;
  if (box == 0) {
    for (ptrdiff_t i = 0; i < count; i++) codes[i] = (uint16_t)((sums[i] + half) >> shift);
  } else if (box == 1) {
    for (ptrdiff_t i = 0; i < count; i++) {
      uint32_t pair;
      memcpy(&pair, sums + 2 * i, sizeof pair);
      codes[i] = (uint16_t)(((pair & 0xFFFF) + (pair >> 16) + half) >> shift);
    }
  } else {
    for (ptrdiff_t i = 0; i < count; i++) {
      uint64_t four;
      memcpy(&four, sums + 4 * i, sizeof four);
      const uint64_t two = (four & 0x0000FFFF0000FFFF) + (four >> 16 & 0x0000FFFF0000FFFF);
      codes[i] = (uint16_t)(((uint32_t)two + (uint32_t)(two >> 32) + half) >> shift);
    }
  }
}

CK_TARGET void CK_LEVEL(halve)(
    const uint8_t *restrict upper, const uint8_t *restrict lower, int offset, ptrdiff_t count,
    uint16_t *restrict codes) {
  (void)offset;
  for (ptrdiff_t i = 0; i < count; i++) {
    uint16_t a, b;
    memcpy(&a, upper + 2 * i, sizeof a);
    memcpy(&b, lower + 2 * i, sizeof b);
    codes[i] = (uint16_t)((uint16_t)((a & 0xFF) + (a >> 8) + (b & 0xFF) + (b >> 8) + 2) >> 2);
  }
}

CK_TARGET void CK_LEVEL(halve_pairs)(
    const uint8_t *restrict upper, const uint8_t *restrict lower, int offset, ptrdiff_t count,
    uint16_t *restrict codes) {
  const int shift = 8 * offset;
  for (ptrdiff_t i = 0; i < count; i++) {
    uint32_t a, b;
    memcpy(&a, upper + 4 * i, sizeof a);
    memcpy(&b, lower + 4 * i, sizeof b);
    a = a >> shift & 0x00FF00FF;
    b = b >> shift & 0x00FF00FF;
    const uint32_t sums = a + b;
    codes[i] = (uint16_t)(((sums & 0xFFFF) + (sums >> 16) + 2) >> 2);
  }
}

// MARK: R'G'B'

CK_TARGET void CK_LEVEL(to_rgb)(
    const ck_to_rgb *op, const uint16_t *restrict y, const uint16_t *restrict cb, const uint16_t *restrict cr,
    ptrdiff_t count, uint16_t *restrict codes) {
  const ck_to_rgb by = *op;
  for (ptrdiff_t i = 0; i < count; i++) {
    uint64_t pixel = 0;
    for (int channel = 0; channel < 3; channel++) {
      const int32_t sum = y[i] * by.y + cb[i] * by.cb[channel] + cr[i] * by.cr[channel] + by.add[channel];
      pixel |= (uint64_t)(uint32_t)ck_clamp(sum >> CK_TO_RGB_SHIFT, 65535) << 16 * channel;
    }
    memcpy(codes + CK_RGB * i, &pixel, sizeof pixel);
  }
}

static inline CK_TARGET int32_t CK_LEVEL(weighted)(const int32_t weights[3], const uint64_t pixel, int32_t add) {
  return weights[0] * (int32_t)(pixel & 0xFFFF) + weights[1] * (int32_t)(pixel >> 16 & 0xFFFF)
    + weights[2] * (int32_t)(pixel >> 32 & 0xFFFF) + add;
}

CK_TARGET void CK_LEVEL(from_rgb_luma)(
    const ck_from_rgb *op, const uint16_t *restrict codes, ptrdiff_t count, uint16_t *restrict y) {
  const ck_from_rgb by = *op;
  for (ptrdiff_t i = 0; i < count; i++) {
    uint64_t pixel;
    memcpy(&pixel, codes + CK_RGB * i, sizeof pixel);
    y[i] = (uint16_t)ck_clamp(CK_LEVEL(weighted)(by.y, pixel, by.y_add) >> CK_FROM_RGB_SHIFT, 255);
  }
}

CK_TARGET void CK_LEVEL(from_rgb_chroma)(
    const ck_from_rgb *op, const uint16_t *restrict upper, const uint16_t *restrict lower, ptrdiff_t pairs,
    uint16_t *restrict cb, uint16_t *restrict cr) {
  const ck_from_rgb by = *op;
  for (ptrdiff_t i = 0; i < pairs; i++) {
    int32_t sums[3];
    for (int channel = 0; channel < 3; channel++) {
      const ptrdiff_t at = 2 * CK_RGB * i + channel;
      sums[channel] = upper[at] + upper[at + CK_RGB] + lower[at] + lower[at + CK_RGB];
    }
    const int32_t blue = by.cb[0] * sums[0] + by.cb[1] * sums[1] + by.cb[2] * sums[2] + by.cb_add;
    const int32_t red = by.cr[0] * sums[0] + by.cr[1] * sums[1] + by.cr[2] * sums[2] + by.cr_add;
    cb[i] = (uint16_t)ck_clamp(blue >> CK_FROM_RGB_SHIFT, 255);
    cr[i] = (uint16_t)ck_clamp(red >> CK_FROM_RGB_SHIFT, 255);
  }
}
