#include "ck_internal.h"

// A block is always 2×2 here. At an odd edge, and where the output has a chroma row for every row, the pixels that
// exist are counted twice or four times: the average, and its rounding, are the same.

/// The codes of a piece: two rows of luma, and the chroma row that belongs to each.
typedef struct piece {
  _Alignas(64) uint16_t y[2][CK_PIECE];
  uint16_t cb[2][CK_PIECE / 2], cr[2][CK_PIECE / 2];
} piece;

static void load(
    const ck_bake *bake, const ck_picture *picture, const ck_component *component, ptrdiff_t row, ptrdiff_t column,
    ptrdiff_t count, uint16_t *codes) {
  const ck_layout *layout = &bake->input;
  bake->kernels->load[ck_access_of(layout, component)](
      ck_element(picture, component, row, column), component->offset, count, layout->shift, layout->max_code, codes);
}

static void store(
    const ck_bake *bake, const ck_picture *picture, const ck_component *component, ptrdiff_t row, ptrdiff_t column,
    ptrdiff_t count, const uint16_t *codes) {
  const ck_layout *layout = &bake->output;
  bake->kernels->store[ck_access_of(layout, component)](
      codes, count, layout->shift, ck_element(picture, component, row, column) + component->offset);
}

static void store_chroma(
    const ck_bake *bake, const ck_picture *picture, ptrdiff_t row, ptrdiff_t column, ptrdiff_t count,
    const uint16_t *cb, const uint16_t *cr) {
  const ck_layout *layout = &bake->output;
  if (layout->cb.plane == layout->cr.plane && layout->cb.plane != layout->y.plane) {
    const int cb_first = layout->cb.offset == 0;
    bake->kernels->store_pairs[layout->sample_bytes - 1](
        cb_first ? cb : cr, cb_first ? cr : cb, count, layout->shift, ck_element(picture, &layout->cb, row, column));
  } else {
    store(bake, picture, &layout->cb, row, column, count, cb);
    store(bake, picture, &layout->cr, row, column, count, cr);
  }
}

/// The thresholds of luma row `row` or of chroma row `row`. Pieces begin at multiples of the pattern's width.
static const uint8_t *rounding(const ck_bake *bake, int32_t row) { return bake->rounding.rows[row & 7]; }

/// - Parameters:
///   - top: the upper row, even.
///   - lower: 1 where there is a second row, else 0.
static void linear(const ck_bake *bake, const piece *in, int32_t top, int lower, ptrdiff_t pairs, piece *out) {
  const ck_kernels *kernels = bake->kernels;
  const int second = bake->input.chroma_rows == 1 ? lower : 0;
  for (int row = 0; row <= lower; row++) {
    const int from = row & second;
    if (bake->operation == CK_MATRIX)
      kernels->matrix_luma(
          &bake->matrix, in->y[row], in->cb[from], in->cr[from], rounding(bake, top + row), pairs, out->y[row]);
    else
      kernels->rescale(&bake->luma, in->y[row], in->y[row], rounding(bake, top + row), 2 * pairs, out->y[row]);
  }
  const int averages = bake->output.chroma_rows == 2;
  for (int row = 0; row <= (averages ? 0 : lower); row++) {
    const int a = row & second, b = averages ? second : a;
    const uint8_t *const thresholds = rounding(bake, top / bake->output.chroma_rows + row);
    if (bake->operation == CK_MATRIX) {
      const uint16_t *const cb[2] = { in->cb[a], in->cb[b] }, *const cr[2] = { in->cr[a], in->cr[b] };
      kernels->matrix_chroma(&bake->matrix, cb, cr, thresholds, pairs, out->cb[row], out->cr[row]);
    } else {
      kernels->rescale(&bake->chroma, in->cb[a], in->cb[b], thresholds, pairs, out->cb[row]);
      kernels->rescale(&bake->chroma, in->cr[a], in->cr[b], thresholds, pairs, out->cr[row]);
    }
  }
}

static void through_table(const ck_bake *bake, const piece *in, int32_t top, int lower, ptrdiff_t pairs, piece *out) {
  const ck_kernels *kernels = bake->kernels;
  _Alignas(64) int32_t cb[2][CK_PIECE / 2], cr[2][CK_PIECE / 2];
  ck_row row;
  for (int i = 0; i <= lower; i++) {
    const int from = bake->input.chroma_rows == 1 ? i : 0;
    kernels->coordinates(&bake->coordinates, in->y[i], in->cb[from], in->cr[from], pairs, &row);
    if (bake->has_shaper) kernels->shape(&bake->shaper, pairs, &row);
    kernels->interpolate[bake->interpolation](
        &bake->table, &bake->result, &row, rounding(bake, top + i), pairs, out->y[i], cb[i], cr[i]);
  }
  const int averages = bake->output.chroma_rows == 2;
  for (int i = 0; i <= (averages ? 0 : lower); i++) {
    const int b = averages ? lower : i;
    const uint8_t *const thresholds = rounding(bake, top / bake->output.chroma_rows + i);
    kernels->chroma(&bake->result, cb[i], cb[b], thresholds, pairs, out->cb[i]);
    kernels->chroma(&bake->result, cr[i], cr[b], thresholds, pairs, out->cr[i]);
  }
}

/// - Returns: `made`, or `in` where the codes stay as they are.
static const piece *operate(
    const ck_bake *bake, const piece *in, int32_t top, int lower, ptrdiff_t pairs, piece *made) {
  if (bake->keeps_codes) return in;
  if (bake->operation == CK_TABLE)
    through_table(bake, in, top, lower, pairs, made);
  else
    linear(bake, in, top, lower, pairs, made);
  return made;
}

static void bake_piece(
    const ck_bake *bake, const ck_picture *source, const ck_picture *target, int32_t top, int lower, int32_t left,
    int32_t width) {
  piece in, made;
  const ck_layout *from = &bake->input, *to = &bake->output;
  const ptrdiff_t pairs = (width + 1) / 2;
  for (int row = 0; row <= lower; row++) {
    load(bake, source, &from->y, top + row, left, width, in.y[row]);
    if (width & 1) in.y[row][width] = in.y[row][width - 1];
  }
  for (int row = 0; row <= (from->chroma_rows == 1 ? lower : 0); row++) {
    const int32_t at = top / from->chroma_rows + row;
    load(bake, source, &from->cb, at, left / 2, pairs, in.cb[row]);
    load(bake, source, &from->cr, at, left / 2, pairs, in.cr[row]);
  }

  const piece *const out = operate(bake, &in, top, lower, pairs, &made);

  // A packed row holds whole pairs: its last pixel is written twice where the width is odd.
  const ptrdiff_t columns = to->y.plane == to->cb.plane ? 2 * pairs : width;
  for (int row = 0; row <= lower; row++) store(bake, target, &to->y, top + row, left, columns, out->y[row]);
  for (int row = 0; row <= (to->chroma_rows == 1 ? lower : 0); row++) {
    const int32_t at = top / to->chroma_rows + row;
    store_chroma(bake, target, at, left / 2, pairs, out->cb[row], out->cr[row]);
  }
}

/// The same where the output has a chroma sample for each pixel: `width` is at most half a piece.
static void bake_single_pixels(
    const ck_bake *bake, const ck_picture *source, const ck_picture *target, int32_t top, int lower, int32_t left,
    int32_t width) {
  piece in, made;
  uint16_t codes[CK_PIECE];
  const ck_layout *from = &bake->input, *to = &bake->output;
  const ptrdiff_t shared = from->chroma_columns;
  for (int row = 0; row <= lower; row++) {
    load(bake, source, &from->y, top + row, left, width, codes);
    for (int32_t i = 0; i < width; i++) in.y[row][2 * i] = in.y[row][2 * i + 1] = codes[i];
  }
  for (int row = 0; row <= (from->chroma_rows == 1 ? lower : 0); row++) {
    const int32_t at = top / from->chroma_rows + row;
    const ptrdiff_t samples = (width + shared - 1) / shared;
    load(bake, source, &from->cb, at, left / shared, samples, codes);
    for (int32_t i = 0; i < width; i++) in.cb[row][i] = codes[i / shared];
    load(bake, source, &from->cr, at, left / shared, samples, codes);
    for (int32_t i = 0; i < width; i++) in.cr[row][i] = codes[i / shared];
  }
  const piece *const out = operate(bake, &in, top, lower, width, &made);
  for (int row = 0; row <= lower; row++) {
    for (int32_t i = 0; i < width; i++) codes[i] = out->y[row][2 * i];
    store(bake, target, &to->y, top + row, left, width, codes);
    store_chroma(bake, target, top + row, left, width, out->cb[row], out->cr[row]);
  }
}

void ck_bake_rows(
    const ck_bake *bake, const ck_picture *source, const ck_picture *target, int32_t first, int32_t end) {
  const int singly = bake->output.chroma_columns == 1;
  const int32_t columns = singly ? CK_PIECE / 2 : CK_PIECE;
  for (int32_t top = first; top < end; top += 2) {
    const int lower = top + 1 < end;
    for (int32_t left = 0; left < bake->width; left += columns) {
      const int32_t rest = bake->width - left, width = rest < columns ? rest : columns;
      if (singly)
        bake_single_pixels(bake, source, target, top, lower, left, width);
      else
        bake_piece(bake, source, target, top, lower, left, width);
    }
  }
}
