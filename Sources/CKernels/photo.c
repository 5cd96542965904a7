#include "ck_internal.h"

typedef struct piece {
  const ck_photo *photo;
  const ck_photo_rows *rows;
} piece;

/// - Parameter noise: or NULL.
static void apply(const void *context, int32_t row, int32_t left, int32_t width, const int16_t *noise) {
  const piece *of = context;
  const ck_photo *photo = of->photo;
  const ck_photo_rows *rows = of->rows;
  const ck_kernels *kernels = photo->kernels;
  const ptrdiff_t at = row - rows->first;
  _Alignas(64) uint16_t codes[CK_RGB * CK_PIECE];
  const ptrdiff_t from = at * rows->source_stride + (ptrdiff_t)photo->source_channels * photo->source_bytes * left;
  const ptrdiff_t to = at * rows->target_stride + 3 * (ptrdiff_t)photo->target_bytes * left;
  kernels->rgb_load[photo->source_bytes - 1](
    (const uint8_t *)rows->source + from, photo->source_channels, width, codes);
  if (photo->before) kernels->rgb_convert(photo->before, width, codes);
  kernels->rgb_table(photo->table, width, codes);
  if (photo->after) kernels->rgb_convert(photo->after, width, codes);
  if (noise) kernels->rgb_grain(photo->grain->amplitude, photo->grain->shift, photo->luma, noise, width, codes);
  kernels->rgb_store[photo->target_bytes - 1](codes, width, (uint8_t *)rows->target + to);
}

void ck_photo_apply(const ck_photo *photo, uint64_t seed, int64_t frame, const ck_photo_rows *rows) {
  const piece of = { photo, rows };
  for (int32_t left = 0; left < photo->width; left += CK_PIECE) {
    const int32_t rest = photo->width - left, width = rest < CK_PIECE ? rest : CK_PIECE;
    if (photo->grain)
      ck_noise_rows(photo->grain, seed, frame, rows->first, rows->end, left, width, apply, &of);
    else
      for (int32_t row = rows->first; row < rows->end; row++) apply(&of, row, left, width, NULL);
  }
}
