#include <string.h>

#include "ck_internal.h"

// A view is made row by row as it is before its rows and columns are exchanged; it is stored row by row, or column by
// column.

/// Where a view works.
typedef struct desk {
  uint16_t *loaded, *box_sums, *mirrored_box_sums;  // a row of the source
  uint32_t *sums, *mirrored_sums;
  uint16_t *y[2], *cb, *cr;  // two rows of the view and their chroma, in the source's codes
} desk;

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

/// Lays out the desk at `room`, which may be NULL, and counts its bytes.
static size_t lay_out(const ck_view *view, uint8_t *room, desk *desk) {
  const ck_axis *luma = &view->luma.across, *chroma = &view->chroma.across, *single = &view->single.across;
  const size_t source = (size_t)larger(luma->source, chroma->source);
  const size_t taps = (size_t)larger(luma->taps, larger(chroma->taps, single->taps));
  const size_t count = (size_t)larger(luma->count, single->count);
  // The loops may write whole pieces, and a row of an odd width gets a pixel more.
  const size_t narrow = (source + taps + CK_PIECE + 63) & ~(size_t)31, row = (count + CK_PIECE + 63) & ~(size_t)31;
  size_t bytes = 0;
#define PLACE(FIELD, COUNT) desk->FIELD = room ? (void *)(room + bytes) : 0, bytes += (COUNT) * sizeof *desk->FIELD
  PLACE(loaded, narrow);
  PLACE(box_sums, narrow);
  PLACE(mirrored_box_sums, narrow);
  PLACE(sums, narrow);
  PLACE(mirrored_sums, narrow);
  PLACE(y[0], row);
  PLACE(y[1], row);
  PLACE(cb, row);
  PLACE(cr, row);
#undef PLACE
  return bytes;
}

size_t ck_view_room(const ck_view *view) {
  desk desk;
  return lay_out(view, 0, &desk);
}

#define MIRRORED(NAME, ELEMENT)                                                                                       \
  static const ELEMENT *NAME(const ELEMENT *restrict from, ptrdiff_t count, ELEMENT *restrict to) {                   \
    for (ptrdiff_t i = 0; i < count; i++) to[i] = from[count - 1 - i];                                                \
    return to;                                                                                                        \
  }

MIRRORED(mirrored16, uint16_t)
MIRRORED(mirrored32, uint32_t)

/// Some samples of a row of the view, of one component.
static void scale(
    const ck_view *view, const desk *desk, const ck_picture *source, const ck_view_plane *plane,
    const ck_component *component, int32_t row, int32_t first, int32_t count, uint16_t *codes) {
  const ck_kernels *kernels = view->kernels;
  const ck_layout *layout = &view->input;
  const ck_axis *across = &plane->across, *down = &plane->down;
  const int is_box = across->box != CK_NO_BOX && down->box != CK_NO_BOX;
  // What is covered, in the mirrored source.
  int32_t begin, end;
  if (is_box) {
    begin = first << across->box;
    end = (first + count) << across->box;
  } else {
    begin = across->first[first];
    end = across->first[first + count - 1] + across->taps;
    if (end > across->source) end = across->source;
  }
  const int32_t width = end - begin, left = plane->left + (view->mirrors_columns ? across->source - end : begin);
  const ck_access access = ck_access_of(layout, component);
  const int32_t top = is_box ? row << down->box : down->first[row];
  const int32_t rows = is_box ? 1 << down->box : down->taps;

#define SOURCE_ROW(AT) (plane->top + (view->mirrors_rows ? down->source - 1 - (AT) : (AT)))
  ck_halve_fn *const halve = access == CK_1_1 ? kernels->halve : access == CK_1_2 ? kernels->halve_pairs : 0;
  if (halve && is_box && across->box == 1 && down->box == 1 && !view->mirrors_columns) {
    halve(
        ck_element(source, component, SOURCE_ROW(top), left), ck_element(source, component, SOURCE_ROW(top + 1), left),
        component->offset, count, codes);
    return;
  }
  int has_begun = 0;
  for (int32_t i = 0; i < rows; i++) {
    const uint32_t weight = is_box ? 1 : down->weights[(ptrdiff_t)i * down->count + row];
    if (!weight) continue;
    uint16_t *const loaded = is_box && !has_begun ? desk->box_sums : desk->loaded;
    kernels->load[access](
        ck_element(source, component, SOURCE_ROW(top + i), left), component->offset, width, layout->shift,
        layout->max_code, loaded);
    if (!is_box)
      (has_begun ? kernels->scale_add : kernels->scale_begin)(loaded, weight, width, desk->sums);
    else if (has_begun)
      kernels->box_add(loaded, width, desk->box_sums);
    has_begun = 1;
  }
#undef SOURCE_ROW
  if (is_box) {
    const uint16_t *sums = desk->box_sums;
    if (view->mirrors_columns) sums = mirrored16(sums, width, desk->mirrored_box_sums);
    kernels->box_across(across->box, across->box + down->box, count, sums, codes);
  } else {
    const uint32_t *sums = desk->sums;
    if (view->mirrors_columns) sums = mirrored32(sums, width, desk->mirrored_sums);
    kernels->scale_across(across, first, count, sums, codes);
  }
}

// MARK: 4:2:0

/// Two rows of a piece of the view and their chroma, in the picture's codes.
typedef struct piece {
  _Alignas(64) uint16_t y[2][CK_PIECE], cb[CK_PIECE / 2], cr[CK_PIECE / 2];
} piece;

/// - Parameter lower: 1 where there is a second row, else 0.
static void color_by_rgb(
    const ck_view *view, const desk *desk, ptrdiff_t left, int lower, ptrdiff_t pairs, piece *out) {
  const ck_kernels *kernels = view->kernels;
  _Alignas(64) uint16_t cb[CK_PIECE], cr[CK_PIECE], codes[2][CK_RGB * CK_PIECE];
  for (ptrdiff_t i = 0; i < pairs; i++) {
    cb[2 * i] = cb[2 * i + 1] = desk->cb[left / 2 + i];
    cr[2 * i] = cr[2 * i + 1] = desk->cr[left / 2 + i];
  }
  for (int row = 0; row <= lower; row++) {
    kernels->to_rgb(&view->to_rgb, desk->y[row] + left, cb, cr, 2 * pairs, codes[row]);
    if (view->conversion) kernels->rgb_convert(view->conversion, 2 * pairs, codes[row]);
    kernels->from_rgb_luma(&view->from_rgb, codes[row], 2 * pairs, out->y[row]);
  }
  kernels->from_rgb_chroma(&view->from_rgb, codes[0], codes[lower], pairs, out->cb, out->cr);
}

static void color(const ck_view *view, const desk *desk, ptrdiff_t left, int lower, ptrdiff_t pairs, piece *out) {
  const ck_kernels *kernels = view->kernels;
  const uint16_t *const cb = desk->cb + left / 2, *const cr = desk->cr + left / 2;
  switch (view->operation) {
    case CK_VIEW_KEEP:
      for (int row = 0; row <= lower; row++) memcpy(out->y[row], desk->y[row] + left, 2 * (size_t)pairs * sizeof *cb);
      memcpy(out->cb, cb, (size_t)pairs * sizeof *cb);
      memcpy(out->cr, cr, (size_t)pairs * sizeof *cr);
      return;
    case CK_VIEW_RESCALE:
      for (int row = 0; row <= lower; row++) {
        const uint16_t *const y = desk->y[row] + left;
        kernels->rescale(&view->rescale_luma, y, y, view->rounding, 2 * pairs, out->y[row]);
      }
      kernels->rescale(&view->rescale_chroma, cb, cb, view->rounding, pairs, out->cb);
      kernels->rescale(&view->rescale_chroma, cr, cr, view->rounding, pairs, out->cr);
      return;
    case CK_VIEW_MATRIX:
      for (int row = 0; row <= lower; row++)
        kernels->matrix_luma(&view->matrix, desk->y[row] + left, cb, cr, view->rounding, pairs, out->y[row]);
      kernels->matrix_chroma(
          &view->matrix, (const uint16_t *const[]){ cb, cb }, (const uint16_t *const[]){ cr, cr }, view->rounding,
          pairs, out->cb, out->cr);
      return;
    case CK_VIEW_RGB: color_by_rgb(view, desk, left, lower, pairs, out); return;
  }
}

/// Stores one or two rows of codes, or columns if the view exchanges them.
///
/// - Parameter lower: or NULL.
static void store(
    const ck_view *view, const ck_plane *plane, ptrdiff_t row, ptrdiff_t column, ptrdiff_t count,
    const uint16_t *codes, const uint16_t *lower) {
  if (!view->transposes) {
    uint8_t *const to = plane->data + row * plane->stride + column;
    view->kernels->store[CK_1_1](codes, count, 0, to);
    if (lower) view->kernels->store[CK_1_1](lower, count, 0, to + plane->stride);
    return;
  }
  uint8_t *to = plane->data + column * plane->stride + row;
  if (lower)
    for (ptrdiff_t i = 0; i < count; i++, to += plane->stride) {
      to[0] = (uint8_t)codes[i];
      to[1] = (uint8_t)lower[i];
    }
  else
    for (ptrdiff_t i = 0; i < count; i++, to += plane->stride) *to = (uint8_t)codes[i];
}

void ck_view_frame(const ck_view *view, const ck_picture *source, const ck_picture *target) {
  const int32_t width = view->luma.across.count, height = view->luma.down.count, columns = view->chroma.across.count;
  desk desk;
  lay_out(view, view->room, &desk);
  for (int32_t top = 0; top < height; top += 2) {
    const int lower = top + 1 < height;
    for (int row = 0; row <= lower; row++) {
      scale(view, &desk, source, &view->luma, &view->input.y, top + row, 0, width, desk.y[row]);
      if (width & 1) desk.y[row][width] = desk.y[row][width - 1];
    }
    scale(view, &desk, source, &view->chroma, &view->input.cb, top / 2, 0, columns, desk.cb);
    scale(view, &desk, source, &view->chroma, &view->input.cr, top / 2, 0, columns, desk.cr);
    for (int32_t left = 0; left < width; left += CK_PIECE) {
      const ptrdiff_t rest = width - left, count = rest < CK_PIECE ? rest : CK_PIECE, pairs = (count + 1) / 2;
      piece made;
      color(view, &desk, left, lower, pairs, &made);
      store(view, &target->planes[0], top, left, count, made.y[0], lower ? made.y[1] : 0);
      store(view, &target->planes[1], top / 2, left / 2, pairs, made.cb, 0);
      store(view, &target->planes[2], top / 2, left / 2, pairs, made.cr, 0);
    }
  }
}

// MARK: R'G'B'

/// - Parameter step: samples from one pixel to the next.
static void store_rgb(const uint16_t *codes, ptrdiff_t count, int bytes, ptrdiff_t step, void *to) {
  uint8_t *narrow = to;
  uint16_t *wide = to;
  for (ptrdiff_t i = 0; i < count; i++, codes += CK_RGB, narrow += step, wide += step)
    for (int channel = 0; channel < 3; channel++) {
      // code / 257, rounded.
      if (bytes == 1)
        narrow[channel] = (uint8_t)((codes[channel] * 255u + 32895) >> 16);
      else
        wide[channel] = codes[channel];
    }
}

void ck_view_rgb(const ck_view *view, const ck_picture *source, int32_t first, int32_t end, int bytes, void *target) {
  const ck_kernels *kernels = view->kernels;
  const int32_t width = view->luma.across.count, height = view->luma.down.count;
  // The rows asked for are columns before they are exchanged.
  const int32_t top = view->transposes ? 0 : first, bottom = view->transposes ? height : end;
  const int32_t left = view->transposes ? first : 0, right = view->transposes ? end : width;
  const ptrdiff_t row_samples = 3 * (ptrdiff_t)(view->transposes ? height : width);
  desk desk;
  lay_out(view, view->room, &desk);
  for (int32_t row = top; row < bottom; row++) {
    scale(view, &desk, source, &view->luma, &view->input.y, row, left, right - left, desk.y[0]);
    scale(view, &desk, source, &view->single, &view->input.cb, row, left, right - left, desk.cb);
    scale(view, &desk, source, &view->single, &view->input.cr, row, left, right - left, desk.cr);
    for (int32_t at = 0; at < right - left; at += CK_PIECE) {
      const ptrdiff_t rest = right - left - at, count = rest < CK_PIECE ? rest : CK_PIECE;
      _Alignas(64) uint16_t codes[CK_RGB * CK_PIECE];
      kernels->to_rgb(&view->to_rgb, desk.y[0] + at, desk.cb + at, desk.cr + at, count, codes);
      if (view->conversion) kernels->rgb_convert(view->conversion, count, codes);
      const ptrdiff_t place = view->transposes ? at * row_samples + 3 * (ptrdiff_t)row
                                               : (row - first) * row_samples + 3 * (ptrdiff_t)at;
      store_rgb(
          codes, count, bytes, view->transposes ? row_samples : 3, (uint8_t *)target + place * bytes);
    }
  }
}
