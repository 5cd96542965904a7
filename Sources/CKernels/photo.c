#include "ck_internal.h"

static void load(const ck_photo *photo, const void *row, int32_t left, int32_t width, uint16_t *codes) {
  const int channels = photo->source_channels, green = channels == 3 ? 1 : 0, blue = 2 * green;
  const uint8_t *narrow = (const uint8_t *)row + (ptrdiff_t)channels * left;
  const uint16_t *wide = (const uint16_t *)row + (ptrdiff_t)channels * left;
  for (int32_t i = 0; i < width; i++, codes += CK_RGB, narrow += channels, wide += channels) {
    if (photo->source_bytes == 1) {
      codes[0] = (uint16_t)(257 * narrow[0]);
      codes[1] = (uint16_t)(257 * narrow[green]);
      codes[2] = (uint16_t)(257 * narrow[blue]);
    } else {
      codes[0] = wide[0];
      codes[1] = wide[green];
      codes[2] = wide[blue];
    }
    codes[3] = 0;
  }
}

static void store(const ck_photo *photo, const uint16_t *codes, int32_t left, int32_t width, void *row) {
  uint8_t *narrow = (uint8_t *)row + 3 * (ptrdiff_t)left;
  uint16_t *wide = (uint16_t *)row + 3 * (ptrdiff_t)left;
  for (int32_t i = 0; i < width; i++, codes += CK_RGB, narrow += 3, wide += 3)
    for (int channel = 0; channel < 3; channel++) {
      // code / 257, rounded.
      if (photo->target_bytes == 1)
        narrow[channel] = (uint8_t)((codes[channel] * 255u + 32895) >> 16);
      else
        wide[channel] = codes[channel];
    }
}

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
  load(photo, (const uint8_t *)rows->source + at * rows->source_stride, left, width, codes);
  if (photo->before) kernels->rgb_convert(photo->before, width, codes);
  kernels->rgb_table(photo->table, width, codes);
  if (photo->after) kernels->rgb_convert(photo->after, width, codes);
  if (noise) kernels->rgb_grain(photo->grain->amplitude, photo->grain->shift, photo->luma, noise, width, codes);
  store(photo, codes, left, width, (uint8_t *)rows->target + at * rows->target_stride);
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
