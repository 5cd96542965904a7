#ifndef CK_INTERNAL_H
#define CK_INTERNAL_H

#include "CKernels.h"

static inline int32_t ck_clamp(int32_t value, int32_t max) {
  value = value < 0 ? 0 : value;
  return value > max ? max : value;
}

static inline int64_t ck_clamp64(int64_t value, int64_t max) {
  value = value < 0 ? 0 : value;
  return value > max ? max : value;
}

ck_load_fn ck_load_1_1_c, ck_load_1_2_c, ck_load_1_4_c, ck_load_2_2_c, ck_load_2_4_c;
ck_store_fn ck_store_1_1_c, ck_store_1_2_c, ck_store_1_4_c, ck_store_2_2_c, ck_store_2_4_c;
void ck_rescale_c(const ck_rescale *op, const uint16_t *a, const uint16_t *b, ptrdiff_t count, uint16_t *out);
void ck_matrix_luma_c(
    const ck_matrix *op, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, ptrdiff_t pairs, uint16_t *out);
void ck_matrix_chroma_c(
    const ck_matrix *op, const uint16_t *const cb[2], const uint16_t *const cr[2], ptrdiff_t count, uint16_t *cb_out,
    uint16_t *cr_out);
ck_coordinates_fn ck_coordinates_c;
void ck_shape_c(const ck_shaper *shaper, ptrdiff_t count, ck_row *row);
ck_table_fn ck_tetrahedral16_c, ck_tetrahedral32_c, ck_trilinear16_c, ck_trilinear32_c, ck_curves_c;
void ck_chroma_c(const ck_output *output, const int32_t *a, const int32_t *b, ptrdiff_t count, uint16_t *out);

#endif
