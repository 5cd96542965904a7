#include "ck_internal.h"

static const ck_kernels scalar = {
  .load = { ck_load_1_1_c, ck_load_1_2_c, ck_load_1_4_c, ck_load_2_2_c, ck_load_2_4_c },
  .store = { ck_store_1_1_c, ck_store_1_2_c, ck_store_1_4_c, ck_store_2_2_c, ck_store_2_4_c },
  .rescale = ck_rescale_c,
  .matrix_luma = ck_matrix_luma_c,
  .matrix_chroma = ck_matrix_chroma_c,
  .coordinates = ck_coordinates_c,
  .shape = ck_shape_c,
  .interpolate = {
    [CK_TETRAHEDRAL_16] = ck_tetrahedral16_c,
    [CK_TRILINEAR_16] = ck_trilinear16_c,
    [CK_TETRAHEDRAL_32] = ck_tetrahedral32_c,
    [CK_TRILINEAR_32] = ck_trilinear32_c,
    [CK_CURVES] = ck_curves_c,
  },
  .chroma = ck_chroma_c,
};

const ck_kernels *ck_select_kernels(void) { return &scalar; }
