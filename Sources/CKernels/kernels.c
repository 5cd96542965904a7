#include "ck_internal.h"

// What the compiler makes of plain loops.
#define LOOPS(LEVEL)                                                                                                  \
  .load = { ck_load_1_1_##LEVEL, ck_load_1_2_##LEVEL, ck_load_1_4_##LEVEL, ck_load_2_2_##LEVEL, ck_load_2_4_##LEVEL,  \
            ck_load_2_8_##LEVEL },                                                                                    \
  .store = { ck_store_1_1_##LEVEL, ck_store_1_2_##LEVEL, ck_store_1_4_##LEVEL, ck_store_2_2_##LEVEL,                  \
             ck_store_2_4_##LEVEL, ck_store_2_8_##LEVEL },                                                            \
  .store_pairs = { ck_store_pairs_1_##LEVEL, ck_store_pairs_2_##LEVEL }, .rescale = ck_rescale_##LEVEL,               \
  .matrix_luma = ck_matrix_luma_##LEVEL, .matrix_chroma = ck_matrix_chroma_##LEVEL, .chroma = ck_chroma_##LEVEL,      \
  .shape = ck_shape_##LEVEL, .grain_noise = ck_grain_noise_##LEVEL, .grain_blur = ck_grain_blur_##LEVEL,              \
  .grain_add = ck_grain_add_##LEVEL, .rgb_convert = ck_rgb_convert_##LEVEL, .rgb_table = ck_rgb_table_##LEVEL,        \
  .rgb_load = { ck_rgb_load_1_##LEVEL, ck_rgb_load_2_##LEVEL }, .rgb_grain = ck_rgb_grain_##LEVEL,                    \
  .rgb_store = { ck_rgb_store_1_##LEVEL, ck_rgb_store_2_##LEVEL }, .scale_begin = ck_scale_begin_##LEVEL,             \
  .scale_add = ck_scale_add_##LEVEL, .scale_across = ck_scale_across_##LEVEL, .box_add = ck_box_add_##LEVEL,          \
  .box_across = ck_box_across_##LEVEL, .halve = ck_halve_##LEVEL, .halve_pairs = ck_halve_pairs_##LEVEL,              \
  .to_rgb = ck_to_rgb_##LEVEL, .from_rgb_luma = ck_from_rgb_luma_##LEVEL,                                             \
  .from_rgb_chroma = ck_from_rgb_chroma_##LEVEL

#define TABLES(TETRAHEDRAL_16, TRILINEAR_16, WIDE)                                                                    \
  .interpolate = {                                                                                                    \
    [CK_TETRAHEDRAL_16] = ck_tetrahedral16_##TETRAHEDRAL_16, [CK_TRILINEAR_16] = ck_trilinear16_##TRILINEAR_16,       \
    [CK_TETRAHEDRAL_32] = ck_tetrahedral32_##WIDE, [CK_TRILINEAR_32] = ck_trilinear32_##WIDE,                         \
    [CK_CURVES] = ck_curves_##WIDE,                                                                                   \
  }

static const ck_kernels scalar = { LOOPS(c), TABLES(c, c, c), .coordinates = ck_coordinates_c };

#if defined(__x86_64__)

static const ck_kernels avx2 = {
  LOOPS(avx2), TABLES(avx2, avx2, avx2), .takes_cells = 1, .coordinates = ck_coordinates_avx2,
};
static const ck_kernels avx512 = {
  LOOPS(avx512), TABLES(avx512, avx512, avx512), .takes_cells = 1, .coordinates = ck_coordinates_avx512,
};

// The processor's answer together with the system's: whether it saves these registers.
const ck_kernels *ck_kernels_at(ck_level level) {
  switch (level) {
    case CK_SCALAR: return &scalar;
    case CK_AVX2: return __builtin_cpu_supports("avx2") ? &avx2 : NULL;
    case CK_AVX512:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
          && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
        ? &avx512
        : NULL;
    default: return NULL;
  }
}

#elif defined(__aarch64__)

// The compiler makes NEON of the plain loops as well: every 64-bit Arm processor has it.
static const ck_kernels neon = { LOOPS(c), TABLES(neon, c, c), .coordinates = ck_coordinates_c };

const ck_kernels *ck_kernels_at(ck_level level) {
  return level == CK_SCALAR ? &scalar : level == CK_NEON ? &neon : NULL;
}

#else

const ck_kernels *ck_kernels_at(ck_level level) { return level == CK_SCALAR ? &scalar : NULL; }

#endif
