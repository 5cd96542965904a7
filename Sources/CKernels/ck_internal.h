#ifndef CK_INTERNAL_H
#define CK_INTERNAL_H

#include "CKernels.h"

// What the compiler may use in a function of the level; ck_kernels_at() asks the processor for the same.
#define CK_TARGET_AVX2 __attribute__((target("avx2")))
#define CK_TARGET_AVX512 __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl")))

static inline int32_t ck_clamp(int32_t value, int32_t max) {
  value = value < 0 ? 0 : value;
  return value > max ? max : value;
}

static inline int64_t ck_clamp64(int64_t value, int64_t max) {
  value = value < 0 ? 0 : value;
  return value > max ? max : value;
}

/// Whether luma has the same weight in every channel, as where the domain is the same, and the whole parts of chroma's
/// weights have 16 bits: what allows short cuts, and holds unless a table's domain is odd or narrow.
static inline int ck_is_usual(const ck_coordinates *map) {
  int usual = map->y[0] == map->y[1] && map->y[0] == map->y[2];
  for (int channel = 0; channel < 3; channel++) {
    const int64_t cb = map->cb[channel] >> CK_COORDINATE_SHIFT, cr = map->cr[channel] >> CK_COORDINATE_SHIFT;
    usual &= cb == (int16_t)cb && cr == (int16_t)cr;
  }
  return usual;
}

/// From so many points per side on the cells are larger than the caches next to a core, and are sent for beforehand.
enum { CK_FETCHED_SIZE = 41 };

static inline ck_access ck_access_of(const ck_layout *layout, const ck_component *component) {
  if (layout->sample_bytes == 2) return component->step == 2 ? CK_2_2 : component->step == 4 ? CK_2_4 : CK_2_8;
  return component->step == 1 ? CK_1_1 : component->step == 2 ? CK_1_2 : CK_1_4;
}

/// The element of a row that holds a sample of the component.
static inline uint8_t *ck_element(
    const ck_picture *picture, const ck_component *component, ptrdiff_t row, ptrdiff_t column) {
  const ck_plane *plane = &picture->planes[component->plane];
  return plane->data + row * plane->stride + column * component->step;
}

/// Takes a piece of a row of noise, which belongs to the columns from `left` on.
typedef void ck_noise_row_fn(
    const void *context, int32_t row, int32_t left, int32_t width, const int16_t *noise);

/// Makes the noise that belongs to this seed and frame for a piece of the rows first ≤ row < end, from above to below.
/// `width` is at most CK_PIECE; `left` is a multiple of it. Uses the grain's kernels, radius and weights only.
void ck_noise_rows(
    const ck_grain *grain, uint64_t seed, int64_t frame, int32_t first, int32_t end, int32_t left, int32_t width,
    ck_noise_row_fn *take, const void *context);

// Every operation that a level has of its own.
#define CK_DECLARE_LOOPS(LEVEL)                                                                                       \
  ck_load_fn ck_load_1_1_##LEVEL, ck_load_1_2_##LEVEL, ck_load_1_4_##LEVEL;                                           \
  ck_load_fn ck_load_2_2_##LEVEL, ck_load_2_4_##LEVEL, ck_load_2_8_##LEVEL;                                           \
  ck_store_fn ck_store_1_1_##LEVEL, ck_store_1_2_##LEVEL, ck_store_1_4_##LEVEL;                                       \
  ck_store_fn ck_store_2_2_##LEVEL, ck_store_2_4_##LEVEL, ck_store_2_8_##LEVEL;                                       \
  ck_store_pairs_fn ck_store_pairs_1_##LEVEL, ck_store_pairs_2_##LEVEL;                                               \
  ck_rescale_fn ck_rescale_##LEVEL;                                                                                   \
  ck_matrix_luma_fn ck_matrix_luma_##LEVEL;                                                                           \
  ck_matrix_chroma_fn ck_matrix_chroma_##LEVEL;                                                                       \
  ck_shape_fn ck_shape_##LEVEL;                                                                                       \
  ck_table_fn ck_tetrahedral32_##LEVEL, ck_trilinear32_##LEVEL, ck_curves_##LEVEL;                                    \
  ck_chroma_fn ck_chroma_##LEVEL;                                                                                     \
  ck_grain_noise_fn ck_grain_noise_##LEVEL;                                                                           \
  ck_grain_blur_fn ck_grain_blur_##LEVEL;                                                                             \
  ck_grain_add_fn ck_grain_add_##LEVEL;                                                                               \
  ck_rgb_load_fn ck_rgb_load_1_##LEVEL, ck_rgb_load_2_##LEVEL;                                                        \
  ck_rgb_store_fn ck_rgb_store_1_##LEVEL, ck_rgb_store_2_##LEVEL;                                                     \
  ck_rgb_convert_fn ck_rgb_convert_##LEVEL;                                                                           \
  ck_rgb_table_fn ck_rgb_table_##LEVEL;                                                                               \
  ck_rgb_grain_fn ck_rgb_grain_##LEVEL;                                                                               \
  ck_scale_down_fn ck_scale_begin_##LEVEL, ck_scale_add_##LEVEL;                                                      \
  ck_scale_across_fn ck_scale_across_##LEVEL;                                                                         \
  ck_box_down_fn ck_box_add_##LEVEL;                                                                                  \
  ck_box_across_fn ck_box_across_##LEVEL;                                                                             \
  ck_halve_fn ck_halve_##LEVEL, ck_halve_pairs_##LEVEL;                                                               \
  ck_to_rgb_fn ck_to_rgb_##LEVEL;                                                                                     \
  ck_from_rgb_luma_fn ck_from_rgb_luma_##LEVEL;                                                                       \
  ck_from_rgb_chroma_fn ck_from_rgb_chroma_##LEVEL;

#define CK_DECLARE_LATTICE(LEVEL) ck_table_fn ck_tetrahedral16_##LEVEL, ck_trilinear16_##LEVEL;

CK_DECLARE_LOOPS(c)
CK_DECLARE_LOOPS(avx2)
CK_DECLARE_LOOPS(avx512)
CK_DECLARE_LATTICE(c)
CK_DECLARE_LATTICE(avx2)
CK_DECLARE_LATTICE(avx512)
ck_table_fn ck_tetrahedral16_neon;
ck_coordinates_fn ck_coordinates_c, ck_coordinates_avx2, ck_coordinates_avx512;

#endif
