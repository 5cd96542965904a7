#include "ck_internal.h"

void ck_rescale_c(const ck_rescale *op, const uint16_t *a, const uint16_t *b, ptrdiff_t count, uint16_t *out) {
  const uint64_t mul = op->mul, add = op->add;
  const int32_t max_code = op->max_code;
  for (ptrdiff_t i = 0; i < count; i++) {
    const uint32_t sum = (uint32_t)a[i] + b[i];
    // The bias in `add` keeps the sum positive, so that the shift may be a logical one.
    const int32_t code = (int32_t)((sum * mul + add) >> CK_RESCALE_SHIFT) - CK_RESCALE_BIAS;
    out[i] = (uint16_t)ck_clamp(code, max_code);
  }
}

void ck_matrix_luma_c(
    const ck_matrix *op, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, ptrdiff_t pairs, uint16_t *out) {
  const int32_t by_y = op->y[0], by_cb = op->y[1], by_cr = op->y[2], add = op->y_add, max_code = op->max_code;
  for (ptrdiff_t j = 0; j < pairs; j++) {
    const int32_t chroma = cb[j] * by_cb + cr[j] * by_cr + add;
    out[2 * j] = (uint16_t)ck_clamp((y[2 * j] * by_y + chroma) >> CK_MATRIX_SHIFT, max_code);
    out[2 * j + 1] = (uint16_t)ck_clamp((y[2 * j + 1] * by_y + chroma) >> CK_MATRIX_SHIFT, max_code);
  }
}

void ck_matrix_chroma_c(
    const ck_matrix *op, const uint16_t *const cb[2], const uint16_t *const cr[2], ptrdiff_t count, uint16_t *cb_out,
    uint16_t *cr_out) {
  const int32_t max_code = op->max_code;
  for (ptrdiff_t j = 0; j < count; j++) {
    const int32_t blue = cb[0][j] + cb[1][j], red = cr[0][j] + cr[1][j];
    cb_out[j] = (uint16_t)ck_clamp((blue * op->cb[0] + red * op->cb[1] + op->cb_add) >> CK_MATRIX_SHIFT, max_code);
    cr_out[j] = (uint16_t)ck_clamp((blue * op->cr[0] + red * op->cr[1] + op->cr_add) >> CK_MATRIX_SHIFT, max_code);
  }
}
