// The operations without a table, and the last one after a table, for the level that CK_LEVEL names and CK_TARGET
// allows the compiler.

#include "ck_internal.h"

CK_TARGET void CK_LEVEL(rescale)(
    const ck_rescale *op, const uint16_t *restrict a, const uint16_t *restrict b, const uint8_t *restrict rounding,
    ptrdiff_t count, uint16_t *restrict out) {
  const uint64_t mul = op->mul, add = op->add;
  const int32_t max_code = op->max_code;
  for (ptrdiff_t i = 0; i < count; i++) {
    const uint32_t sum = (uint32_t)a[i] + b[i];
    const uint32_t threshold = (uint32_t)rounding[i] << (CK_RESCALE_SHIFT - CK_ROUNDING_BITS);
    // The bias in `add` keeps the sum positive, so that the shift may be a logical one.
    const int32_t code = (int32_t)((sum * mul + add + threshold) >> CK_RESCALE_SHIFT) - CK_RESCALE_BIAS;
    out[i] = (uint16_t)ck_clamp(code, max_code);
  }
}

enum { MATRIX_ROUNDING_SHIFT = CK_MATRIX_SHIFT - CK_ROUNDING_BITS };

CK_TARGET void CK_LEVEL(matrix_luma)(
    const ck_matrix *op, const uint16_t *restrict y, const uint16_t *restrict cb, const uint16_t *restrict cr,
    const uint8_t *restrict rounding, ptrdiff_t pairs, uint16_t *restrict out) {
  const int32_t by_y = op->y[0], by_cb = op->y[1], by_cr = op->y[2], add = op->y_add, max_code = op->max_code;
  for (ptrdiff_t j = 0; j < pairs; j++) {
    const int32_t chroma = cb[j] * by_cb + cr[j] * by_cr + add;
    const int32_t one = y[2 * j] * by_y + chroma + (rounding[2 * j] << MATRIX_ROUNDING_SHIFT);
    const int32_t two = y[2 * j + 1] * by_y + chroma + (rounding[2 * j + 1] << MATRIX_ROUNDING_SHIFT);
    out[2 * j] = (uint16_t)ck_clamp(one >> CK_MATRIX_SHIFT, max_code);
    out[2 * j + 1] = (uint16_t)ck_clamp(two >> CK_MATRIX_SHIFT, max_code);
  }
}

CK_TARGET void CK_LEVEL(matrix_chroma)(
    const ck_matrix *op, const uint16_t *const cb[2], const uint16_t *const cr[2], const uint8_t *restrict rounding,
    ptrdiff_t count, uint16_t *restrict cb_out, uint16_t *restrict cr_out) {
  const uint16_t *const cb0 = cb[0], *const cb1 = cb[1], *const cr0 = cr[0], *const cr1 = cr[1];
  const ck_matrix held = *op;
  for (ptrdiff_t j = 0; j < count; j++) {
    const int32_t blue = cb0[j] + cb1[j], red = cr0[j] + cr1[j];
    const int32_t threshold = rounding[j] << MATRIX_ROUNDING_SHIFT;
    cb_out[j] = (uint16_t)ck_clamp(
        (blue * held.cb[0] + red * held.cb[1] + held.cb_add + threshold) >> CK_MATRIX_SHIFT, held.max_code);
    cr_out[j] = (uint16_t)ck_clamp(
        (blue * held.cr[0] + red * held.cr[1] + held.cr_add + threshold) >> CK_MATRIX_SHIFT, held.max_code);
  }
}

CK_TARGET void CK_LEVEL(chroma)(
    const ck_output *output, const int32_t *restrict a, const int32_t *restrict b, const uint8_t *restrict rounding,
    ptrdiff_t count, uint16_t *restrict out) {
  const int32_t add = output->chroma_add, shift = output->chroma_shift, max_code = output->max_code;
  for (ptrdiff_t j = 0; j < count; j++) {
    const int32_t threshold = (rounding[j] << shift) >> CK_ROUNDING_BITS;
    out[j] = (uint16_t)ck_clamp((a[j] + b[j] + add + threshold) >> shift, max_code);
  }
}
