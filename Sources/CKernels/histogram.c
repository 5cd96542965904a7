#include <string.h>

#include "ck_internal.h"

// Plain C for every level: what bounds counting is the stores, one a cycle, and wider instructions have no more of
// them. The sums for the channels fit in between.

/// The memory behind `counts`. A channel's value v is counted at v + below.
typedef struct counts {
  uint32_t luma[CK_LUMA_TABLES][CK_MOST_CODES + CK_TABLE_GAP];
  uint32_t channels[3][CK_CHANNEL_TABLES][CK_CHANNEL_SPAN * CK_MOST_CODES + CK_TABLE_GAP];
} counts;

_Static_assert(sizeof(counts) == sizeof(uint32_t[CK_COUNTS]), "");

/// The codes of a piece: one or two rows of luma, and the chroma row that belongs to them.
typedef struct piece {
  _Alignas(64) uint16_t y[2][CK_PIECE];
  uint16_t cb[CK_PIECE], cr[CK_PIECE];
} piece;

static void load(
    const ck_histogram *histogram, const ck_picture *picture, const ck_component *component, ptrdiff_t row,
    ptrdiff_t column, ptrdiff_t count, uint16_t *codes) {
  const ck_layout *layout = &histogram->layout;
  histogram->kernels->load[ck_access_of(layout, component)](
      ck_element(picture, component, row, column), component->offset, count, layout->shift, layout->max_code, codes);
}

/// Reads eight codes at once.
static void count_bytes(const uint8_t *codes, ptrdiff_t count, counts *to) {
  ptrdiff_t i = 0;
  for (; i + 8 <= count; i += 8) {
    uint64_t eight;
    memcpy(&eight, codes + i, sizeof eight);
    for (int table = 0; table < 8; table++) to->luma[table][(uint8_t)(eight >> 8 * table)]++;
  }
  for (; i < count; i++) to->luma[0][codes[i]]++;
}

static void count_words(const uint16_t *codes, ptrdiff_t count, counts *to) {
  ptrdiff_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (int table = 0; table < 8; table++) to->luma[table][codes[i + table]]++;
  for (; i < count; i++) to->luma[0][codes[i]]++;
}

/// What a chroma sample adds to each channel.
typedef struct chroma {
  int64_t red, green, blue;
} chroma;

static inline int64_t part(const int64_t *parts, ck_part part, uint16_t code) {
  return parts[part * CK_MOST_CODES + code];
}

static inline chroma chroma_of(const int64_t *parts, uint16_t cb, uint16_t cr) {
  return (chroma){ part(parts, CK_RED_BY_CR, cr), part(parts, CK_GREEN_BY_CB, cb) + part(parts, CK_GREEN_BY_CR, cr),
                   part(parts, CK_BLUE_BY_CB, cb) };
}

static inline void count_pixel(const int64_t *parts, uint16_t y, chroma chroma, int table, counts *to) {
  const int64_t luma = part(parts, CK_Y, y);
  to->luma[table][y]++;
  to->channels[0][table][(uint64_t)(luma + chroma.red) >> CK_PART_BITS]++;
  to->channels[1][table][(uint64_t)(luma + chroma.green) >> CK_PART_BITS]++;
  to->channels[2][table][(uint64_t)(luma + chroma.blue) >> CK_PART_BITS]++;
}

/// Counts luma and the channels.
///
/// - rows, columns: of pixels that share chroma, 1 or 2.
__attribute__((always_inline)) static inline void count_pixels(
    const int64_t *parts, const piece *in, ptrdiff_t width, int rows, int columns, counts *to) {
  ptrdiff_t i = 0;
  for (; i + 2 <= width; i += 2) {
    const chroma left = chroma_of(parts, in->cb[i / columns], in->cr[i / columns]);
    const chroma right = columns == 2 ? left : chroma_of(parts, in->cb[i + 1], in->cr[i + 1]);
    for (int row = 0; row < rows; row++) {
      count_pixel(parts, in->y[row][i], left, 0, to);
      count_pixel(parts, in->y[row][i + 1], right, 1, to);
    }
  }
  if (i == width) return;
  const chroma last = chroma_of(parts, in->cb[i / columns], in->cr[i / columns]);
  for (int row = 0; row < rows; row++) count_pixel(parts, in->y[row][i], last, 0, to);
}

/// - rows: that share chroma, 1 or 2.
static void count_piece(
    const ck_histogram *histogram, const ck_picture *picture, int32_t top, int rows, int32_t left, int32_t width) {
  piece in;
  counts *const to = (counts *)histogram->counts;
  const ck_layout *layout = &histogram->layout;
  const int64_t *const parts = histogram->parts;
  for (int row = 0; row < rows; row++) {
    load(histogram, picture, &layout->y, top + row, left, width, in.y[row]);
    if (!parts) count_words(in.y[row], width, to);
  }
  if (!parts) return;
  const int32_t columns = layout->chroma_columns, samples = (width + columns - 1) / columns;
  load(histogram, picture, &layout->cb, top / layout->chroma_rows, left / columns, samples, in.cb);
  load(histogram, picture, &layout->cr, top / layout->chroma_rows, left / columns, samples, in.cr);
  if (rows == 2)
    count_pixels(parts, &in, width, 2, 2, to);
  else if (columns == 2)
    count_pixels(parts, &in, width, 1, 2, to);
  else
    count_pixels(parts, &in, width, 1, 1, to);
}

void ck_histogram_count(const ck_histogram *histogram, const ck_picture *picture, int32_t first, int32_t end) {
  const ck_layout *layout = &histogram->layout;
  if (!histogram->parts && ck_access_of(layout, &layout->y) == CK_1_1) {
    for (int32_t row = first; row < end; row++)
      count_bytes(ck_element(picture, &layout->y, row, 0), histogram->width, (counts *)histogram->counts);
    return;
  }
  for (int32_t top = first; top < end; top += layout->chroma_rows) {
    const int rows = top + layout->chroma_rows <= end ? layout->chroma_rows : 1;
    for (int32_t left = 0; left < histogram->width; left += CK_PIECE) {
      const int32_t rest = histogram->width - left;
      count_piece(histogram, picture, top, rows, left, rest < CK_PIECE ? rest : CK_PIECE);
    }
  }
}

/// The sum of a count in tables that lie `apart` from each other; they become 0.
static inline uint32_t taken(uint32_t *count, int tables, ptrdiff_t apart) {
  uint32_t sum = 0;
  for (int table = 0; table < tables; table++, count += apart) {
    sum += *count;
    *count = 0;
  }
  return sum;
}

void ck_histogram_take(const ck_histogram *histogram, uint32_t *luma, uint32_t *red, uint32_t *green, uint32_t *blue) {
  counts *const from = (counts *)histogram->counts;
  const int32_t max_code = histogram->layout.max_code, values = CK_CHANNEL_SPAN * (max_code + 1);
  for (int32_t code = 0; code <= max_code; code++)
    luma[code] = taken(&from->luma[0][code], CK_LUMA_TABLES, CK_MOST_CODES + CK_TABLE_GAP);
  if (!histogram->parts) return;
  uint32_t *const channels[3] = { red, green, blue };
  for (int channel = 0; channel < 3; channel++) {
    memset(channels[channel], 0, sizeof *channels[channel] * ((size_t)max_code + 1));
    for (int32_t value = 0; value < values; value++)
      channels[channel][ck_clamp(value - histogram->below, max_code)] += taken(
          &from->channels[channel][0][value], CK_CHANNEL_TABLES, CK_CHANNEL_SPAN * CK_MOST_CODES + CK_TABLE_GAP);
  }
}
