// Holds every level of this processor against plain C, bit by bit, on seeded cases: every pair of layouts, operations,
// widths, odd strides, and bytes between and around the rows; grain; photographs; histograms; and pictures of frames.
//
//   levels [LEVEL…]      the levels that have to be there
//
// Prints a sum over the results of plain C, which is the same on every machine. For processors that the Swift tests are
// not run on: scripts/test-levels.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CKernels.h"

enum { CASES = 6000, GUARD = 0xA5, MARGIN = 64, MOST_POINTS = 33 };

static const char *const level_names[CK_LEVEL_COUNT] = { "scalar", "neon", "avx2", "avx512" };

// MARK: Chance

static uint64_t state;

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
static uint64_t chance(void) {
  uint64_t z = state += 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

/// From low to high, both included.
static int64_t between(int64_t low, int64_t high) { return low + (int64_t)(chance() % (uint64_t)(high - low + 1)); }

// MARK: Layouts

static const ck_layout layouts[] = {
  { { 0, 0, 1 }, { 1, 0, 2 }, { 1, 1, 2 }, 1, 0, 2, 2, 255 },   // nv12
  { { 0, 0, 1 }, { 1, 1, 2 }, { 1, 0, 2 }, 1, 0, 2, 2, 255 },   // nv21
  { { 0, 0, 1 }, { 1, 0, 1 }, { 2, 0, 1 }, 1, 0, 2, 2, 255 },   // yuv420p
  { { 0, 0, 1 }, { 1, 0, 1 }, { 2, 0, 1 }, 1, 0, 2, 1, 255 },   // yuv422p
  { { 0, 0, 2 }, { 0, 1, 4 }, { 0, 3, 4 }, 1, 0, 2, 1, 255 },   // yuyv
  { { 0, 1, 2 }, { 0, 0, 4 }, { 0, 2, 4 }, 1, 0, 2, 1, 255 },   // uyvy
  { { 0, 0, 2 }, { 1, 0, 4 }, { 1, 2, 4 }, 2, 6, 2, 2, 1023 },  // p010
  { { 0, 0, 2 }, { 1, 0, 4 }, { 1, 2, 4 }, 2, 6, 2, 1, 1023 },  // p210
  { { 0, 0, 4 }, { 0, 2, 8 }, { 0, 6, 8 }, 2, 6, 2, 1, 1023 },  // y210
  { { 0, 0, 2 }, { 1, 0, 2 }, { 2, 0, 2 }, 2, 0, 2, 2, 1023 },  // yuv420p10
  { { 0, 0, 2 }, { 1, 0, 2 }, { 2, 0, 2 }, 2, 0, 2, 1, 1023 },  // yuv422p10
  { { 0, 0, 1 }, { 1, 0, 1 }, { 2, 0, 1 }, 1, 0, 1, 1, 255 },   // yuv444p
  { { 0, 0, 2 }, { 1, 0, 2 }, { 2, 0, 2 }, 2, 0, 1, 1, 1023 },  // yuv444p10
};

enum { LAYOUTS = sizeof layouts / sizeof *layouts };

typedef struct shape {
  int32_t width, height;
  ptrdiff_t stride[3], start[3], bytes;
} shape;

static shape shape_of(const ck_layout *layout, int32_t width, int32_t height) {
  const ptrdiff_t pairs = (width + layout->chroma_columns - 1) / layout->chroma_columns, sample = layout->sample_bytes;
  const int is_packed = layout->cb.plane == 0, planes = layout->cr.plane > layout->cb.plane ? 3 : is_packed ? 1 : 2;
  shape shape = { .width = width, .height = height, .bytes = MARGIN };
  for (int plane = 0; plane < planes; plane++) {
    const ptrdiff_t row = is_packed ? 4 * pairs * sample : plane == 0 ? width * sample
                        : planes == 2 ? 2 * pairs * sample : pairs * sample;
    const ptrdiff_t rows = plane == 0 || layout->chroma_rows == 1 ? height : (height + 1) / 2;
    shape.stride[plane] = row + between(0, 9);
    shape.start[plane] = shape.bytes;
    // The last row ends where it ends: a check of addresses sees what reads beyond it.
    shape.bytes += shape.stride[plane] * (rows - 1) + row + (plane + 1 < planes ? between(0, 31) : 0);
  }
  return shape;
}

static ck_picture picture_of(const shape *shape, uint8_t *bytes) {
  ck_picture picture = { 0 };
  for (int i = 0; i < 3; i++)
    picture.planes[i] = (ck_plane){ shape->start[i] ? bytes + shape->start[i] : 0, shape->stride[i] };
  return picture;
}

// MARK: Operations

static int16_t narrow_points[4 * (MOST_POINTS * MOST_POINTS * (MOST_POINTS + 1) + MOST_POINTS + 1)];
static int32_t wide_points[sizeof narrow_points / sizeof *narrow_points];
static int32_t curve_points[3][1026];
static _Alignas(64) int16_t cells[32 * MOST_POINTS * MOST_POINTS * MOST_POINTS];

/// From codes to a grid that ends at `max`, as it could be for some matrix and domain.
static ck_coordinates coordinates_of(int64_t max_code, int32_t max) {
  ck_coordinates map = { .max = max };
  const int64_t unit = ((int64_t)max << CK_COORDINATE_SHIFT) / max_code;
  const int same = (int)between(0, 2);
  for (int c = 0; c < 3; c++) {
    map.y[c] = same && c ? map.y[0] : unit + between(-unit / 2, unit / 2);
    map.cb[c] = between(-2 * unit, 2 * unit);
    map.cr[c] = between(-2 * unit, 2 * unit);
    map.add[c] = between(-unit * 64, unit * 64) - (map.cb[c] + map.cr[c]) * (max_code / 2);
  }
  return map;
}

static void choose_table(ck_bake *bake) {
  static const int32_t sizes[] = { 2, 3, 9, 17, 33 };
  bake->operation = CK_TABLE;
  bake->interpolation = (ck_interpolation)between(0, CK_INTERPOLATION_COUNT - 1);
  const int is_narrow = bake->interpolation <= CK_TRILINEAR_16, are_curves = bake->interpolation == CK_CURVES;
  const int32_t size = are_curves ? (int32_t)between(2, 1024) : sizes[between(0, 4)];
  const int32_t bits = is_narrow ? CK_NARROW_BITS : (int32_t)between(0, are_curves ? 20 : 24);
  const int32_t depth = bake->output.max_code == 255 ? 8 : 10;
  const int32_t point_bits = is_narrow ? (int32_t)between(0, 13 - depth) : 18;
  bake->table = (ck_table){ .size = size, .fraction_bits = bits };
  if (is_narrow) {
    for (size_t i = 0; i < sizeof narrow_points / sizeof *narrow_points; i++)
      narrow_points[i] = (int16_t)between(-16383, 16383);
    ck_fill_cells(narrow_points, size, cells);
    bake->table.points = narrow_points;
    bake->table.cells = between(0, 7) ? cells : 0;
  } else {
    for (size_t i = 0; i < sizeof wide_points / sizeof *wide_points; i++) {
      const int32_t most = are_curves ? 1 << 26 : 1 << 28;
      wide_points[i] = (int32_t)between(-most, most);
    }
    bake->table.points = wide_points;
  }
  const int32_t shift = bits + point_bits, drop = is_narrow ? 0 : bits + 2, sum_shift = shift - drop + 2;
  bake->result = (ck_output){ .y_add = between(0, 64) << shift, .y_shift = shift, .chroma_drop = drop,
                              .chroma_add = 1 << (depth - 1) << sum_shift, .chroma_shift = sum_shift,
                              .max_code = bake->output.max_code };
  const int32_t end = (size - 1) << bits;
  bake->has_shaper = !are_curves && between(0, 2) == 0;
  if (!bake->has_shaper) {
    bake->coordinates = coordinates_of(bake->input.max_code, end);
    return;
  }
  const int32_t curve_size = (int32_t)between(2, 1024), drop_bits = (int32_t)between(0, 3);
  for (int c = 0; c < 3; c++) {
    for (int i = 0; i < curve_size; i++)
      curve_points[c][i] = (int32_t)(between(-end / 8, end + end / 8) / 8 * ((bits > 22 ? 1 : 8) << drop_bits));
    curve_points[c][curve_size] = curve_points[c][curve_size - 1];
    bake->shaper.points[c] = curve_points[c];
  }
  bake->shaper.fraction_bits = 18;
  bake->shaper.drop = drop_bits;
  bake->shaper.max = end;
  bake->coordinates = coordinates_of(bake->input.max_code, (curve_size - 1) << 18);
}

static void choose_linear(ck_bake *bake) {
  const int32_t from = bake->input.max_code, to = bake->output.max_code;
  bake->operation = between(0, 1) ? CK_RESCALE : CK_MATRIX;
  const uint32_t mul = (uint32_t)(((uint64_t)to << CK_RESCALE_SHIFT) / (2 * (uint64_t)from));
  const uint64_t bias = (uint64_t)CK_RESCALE_BIAS << CK_RESCALE_SHIFT;
  bake->luma = (ck_rescale){ mul + (uint32_t)between(0, mul / 4), bias - (uint64_t)between(0, 1 << 28), to };
  bake->chroma = (ck_rescale){ mul + (uint32_t)between(0, mul / 4), bias - (uint64_t)between(0, 1 << 28), to };
  bake->keeps_codes = bake->operation == CK_RESCALE && from == to
    && bake->input.chroma_rows == bake->output.chroma_rows
    && bake->input.chroma_columns == bake->output.chroma_columns && between(0, 1);
  const int64_t one = ((int64_t)to << CK_MATRIX_SHIFT) / from, part = one / 4;
  ck_matrix *matrix = &bake->matrix;
  *matrix = (ck_matrix){ .y = { (int32_t)one }, .cb = { (int32_t)(one / 2) }, .cr = { 0, (int32_t)(one / 2) } };
  for (int i = 1; i < 3; i++) matrix->y[i] = (int32_t)between(-part, part);
  matrix->cb[1] = (int32_t)between(-part, part);
  matrix->cr[0] = (int32_t)between(-part, part);
  matrix->y_add = (int32_t)between(-part * 64, part * 64);
  matrix->max_code = to;
}

// MARK: Comparing

static uint64_t sum = 14695981039346656037u;  // FNV-1a
static int compared[CK_LEVEL_COUNT], told;

/// - Returns: whether all levels gave the same.
static int check(int number) {
  state = (uint64_t)number;
  ck_bake bake = { .input = layouts[number % LAYOUTS], .output = layouts[number / LAYOUTS % LAYOUTS] };
  // 4:4:4 is not reduced, and what becomes 4:4:4 is not dithered.
  const int is_444 = bake.input.chroma_columns == 1 || bake.output.chroma_columns == 1;
  if (is_444 && bake.output.chroma_columns == 2) bake.output = layouts[LAYOUTS - 1 - number / LAYOUTS % 2];
  bake.width = (int32_t)(number % 4 ? between(1, 67) : between(1, 600));
  bake.height = (int32_t)between(1, 9);
  const int is_dithered = between(0, 2) == 0 && !is_444;
  for (int row = 0; row < 8; row++)
    for (int i = 0; i < CK_PIECE; i++) {
      const uint8_t threshold = i < 8 && is_dithered ? (uint8_t)between(1, 127) : 64;
      bake.rounding.rows[row][i] = i < 8 ? threshold : bake.rounding.rows[row][i - 8];
    }
  if (between(0, 3)) choose_table(&bake);
  else choose_linear(&bake);

  const shape from = shape_of(&bake.input, bake.width, bake.height);
  const shape to = shape_of(&bake.output, bake.width, bake.height);
  uint8_t *const source = malloc((size_t)from.bytes), *const expected = malloc((size_t)to.bytes);
  uint8_t *const made = malloc((size_t)to.bytes);
  for (ptrdiff_t i = 0; i < from.bytes; i++) source[i] = (uint8_t)chance();
  const ck_picture input = picture_of(&from, source);
  int same = 1;
  for (int level = 0; level < CK_LEVEL_COUNT; level++) {
    bake.kernels = ck_kernels_at((ck_level)level);
    if (!bake.kernels) continue;
    uint8_t *const target = level == CK_SCALAR ? expected : made;
    memset(target, GUARD, (size_t)to.bytes);
    const ck_picture output = picture_of(&to, target);
    ck_bake_rows(&bake, &input, &output, 0, bake.height);
    compared[level]++;
    if (level == CK_SCALAR || memcmp(made, expected, (size_t)to.bytes) == 0) continue;
    same = 0;
    if (++told > 8) continue;
    ptrdiff_t at = 0;
    while (made[at] == expected[at]) at++;
    fprintf(
        stderr, "case %d: %s differs from scalar at byte %td: %d, not %d (operation %d, interpolation %d, %d×%d)\n",
        number, level_names[level], at, made[at], expected[at], bake.operation, bake.interpolation, bake.width,
        bake.height);
  }
  for (ptrdiff_t i = 0; i < to.bytes; i++) sum = (sum ^ expected[i]) * 1099511628211u;
  free(source);
  free(expected);
  free(made);
  return same;
}

/// A row of weights for a blur.
static void choose_weights(ck_grain *grain) {
  int32_t rest = 32767;
  for (int i = 0; i <= grain->radius; i++) {
    grain->weights[i] = (int16_t)(rest / (i ? 4 : 2));
    rest -= (i ? 2 : 1) * grain->weights[i];
  }
}

/// The same for grain, which the levels add in pieces that differ: plain C to the whole picture, the others by rows.
static int check_grain(int number) {
  state = ~(uint64_t)number;
  static uint16_t amplitude[1024];
  ck_grain grain = {
    .layout = layouts[number % LAYOUTS], .width = (int32_t)(number % 4 ? between(1, 67) : between(1, 600)),
    .height = (int32_t)between(1, 9), .radius = (int32_t)(number % 3 ? 3 : between(1, CK_GRAIN_RADIUS)),
    .amplitude = amplitude, .shift = (int32_t)between(12, 24),
  };
  choose_weights(&grain);
  for (int i = 0; i < 1024; i++) amplitude[i] = (uint16_t)chance();
  const shape shape = shape_of(&grain.layout, grain.width, grain.height);
  uint8_t *const source = malloc((size_t)shape.bytes), *const expected = malloc((size_t)shape.bytes);
  uint8_t *const made = malloc((size_t)shape.bytes);
  for (ptrdiff_t i = 0; i < shape.bytes; i++) source[i] = (uint8_t)chance();
  int same = 1;
  for (int level = 0; level < CK_LEVEL_COUNT; level++) {
    grain.kernels = ck_kernels_at((ck_level)level);
    if (!grain.kernels) continue;
    uint8_t *const target = level == CK_SCALAR ? expected : made;
    memcpy(target, source, (size_t)shape.bytes);
    const ck_picture picture = picture_of(&shape, target);
    const int32_t cut = level == CK_SCALAR ? 0 : grain.height / 2;
    ck_grain_rows(&grain, 7, number, &picture, cut, grain.height);
    ck_grain_rows(&grain, 7, number, &picture, 0, cut);
    if (level == CK_SCALAR || memcmp(made, expected, (size_t)shape.bytes) == 0) continue;
    same = 0;
    if (++told <= 8)
      fprintf(
          stderr, "case %d: grain of %s differs from scalar (radius %d, %d×%d)\n", number, level_names[level],
          grain.radius, grain.width, grain.height);
  }
  for (ptrdiff_t i = 0; i < shape.bytes; i++) sum = (sum ^ expected[i]) * 1099511628211u;
  free(source);
  free(expected);
  free(made);
  return same;
}

// MARK: Photographs

enum { LIGHTS = 65536, ENCODED = (1 << CK_ENCODED_LIGHT_BITS) + 1, LARGEST = 129 };

/// Numbers that the points of a table take, with those that get weight 0.
static ptrdiff_t rgb_numbers(ptrdiff_t size) { return CK_RGB * (size * size * (size + 1) + size + 1); }

static int32_t *lights[3], *gains;
/// That of the points: behind the last one.
static uint16_t *encoded, *amplitudes, *rgb_points_end;

/// Memory whose end is that of a page. The next page cannot be read: who does ends this program.
static void *before_a_gap(ptrdiff_t bytes) {
  const ptrdiff_t page = sysconf(_SC_PAGESIZE), pages = (bytes + page - 1) / page * page;
  uint8_t *const memory = mmap(0, (size_t)(pages + page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + pages, (size_t)page, PROT_NONE)) abort();
  return memory + pages - bytes;
}

static uint16_t *chances_before_a_gap(ptrdiff_t count) {
  uint16_t *const numbers = before_a_gap(count * (ptrdiff_t)sizeof *numbers);
  for (ptrdiff_t i = 0; i < count; i++) numbers[i] = (uint16_t)chance();
  return numbers;
}

/// What is too large to be made for each case.
static void make_photo_tables(void) {
  state = 0x9407;
  for (int c = 0; c < 3; c++) {
    lights[c] = before_a_gap(LIGHTS * (ptrdiff_t)sizeof *lights[c]);
    for (int i = 0; i < LIGHTS; i++)
      lights[c][i] = (int32_t)between(c ? 0 : -(1 << CK_LIGHT_BITS), 1 << CK_LIGHT_BITS);
  }
  gains = before_a_gap(ENCODED * (ptrdiff_t)sizeof *gains);
  for (int i = 0; i < ENCODED; i++) gains[i] = (int32_t)between(0, 1 << CK_LIGHT_BITS);
  encoded = chances_before_a_gap(ENCODED);
  rgb_points_end = chances_before_a_gap(rgb_numbers(LARGEST)) + rgb_numbers(LARGEST);
  amplitudes = chances_before_a_gap(CK_RGB_AMPLITUDES);
}

static ck_rgb_conversion choose_conversion(void) {
  ck_rgb_conversion conversion = { .matrix_bits = (int32_t)between(0, 30), .encode = encoded };
  if (between(0, 2) == 0) {
    conversion.gain = gains;
    conversion.luminance[0] = (int32_t)between(0, 1 << (CK_LIGHT_BITS - 1));
    conversion.luminance[2] = (int32_t)between(0, 1 << (CK_LIGHT_BITS - 1));
    conversion.luminance[1] = (1 << CK_LIGHT_BITS) - conversion.luminance[0] - conversion.luminance[2];
  }
  const int32_t most = 1 << between(conversion.matrix_bits > 8 ? conversion.matrix_bits - 8 : 0, 30);
  for (int c = 0; c < 3; c++) conversion.decode[c] = lights[(c + (int)between(0, 2)) % 3];
  for (int i = 0; i < 9; i++) conversion.matrix[i] = (int32_t)between(-most, most);
  return conversion;
}

static ck_rgb_table choose_rgb_table(void) {
  static const int32_t sizes[] = { 2, 3, 5, 16, 17, 33, LARGEST };
  const int32_t size = sizes[between(0, 6)];
  return (ck_rgb_table){ rgb_points_end - rgb_numbers(size), size };
}

static void choose_luma(uint32_t luma[3]) {
  luma[0] = (uint32_t)between(0, 1 << (CK_RGB_LUMA_BITS - 1));
  luma[2] = (uint32_t)between(0, 1 << (CK_RGB_LUMA_BITS - 1));
  luma[1] = (1u << CK_RGB_LUMA_BITS) - luma[0] - luma[2];
}

/// The same for photographs: plain C to the whole, the others by rows.
static int check_photo(int number) {
  state = (uint64_t)number << 32;
  const ck_rgb_conversion before = choose_conversion(), after = choose_conversion();
  const ck_rgb_table table = choose_rgb_table();
  ck_grain grain = {
    .width = (int32_t)(number % 4 ? between(1, 67) : between(1, 600)), .height = (int32_t)between(1, 9),
    .radius = (int32_t)(number % 3 ? 3 : between(1, CK_GRAIN_RADIUS)), .amplitude = amplitudes,
    .shift = (int32_t)between(8, 24),
  };
  choose_weights(&grain);
  ck_photo photo = {
    .width = grain.width, .before = between(0, 2) ? &before : 0, .table = &table, .after = between(0, 2) ? &after : 0,
    .grain = between(0, 2) ? &grain : 0, .source_channels = (uint8_t)(between(0, 2) ? 3 : 1),
    .source_bytes = (uint8_t)between(1, 2), .target_bytes = (uint8_t)between(1, 2),
  };
  choose_luma(photo.luma);
  // Bytes between the rows; codes of 16 bits lie at even places.
  const ptrdiff_t source_stride =
      (photo.width * photo.source_channels + between(0, 5)) * (ptrdiff_t)photo.source_bytes;
  const ptrdiff_t target_stride = (photo.width * 3 + between(0, 5)) * (ptrdiff_t)photo.target_bytes;
  const size_t source_bytes = (size_t)(
    source_stride * (grain.height - 1) + photo.width * photo.source_channels * photo.source_bytes);
  const size_t target_bytes = (size_t)(target_stride * (grain.height - 1) + photo.width * 3 * photo.target_bytes);
  // Nothing lies behind the last row.
  enum { MOST_BYTES = 2 * (3 * 600 + 5) * 9 };
  static uint8_t *source_end, *made_end;
  if (!source_end) source_end = (uint8_t *)before_a_gap(MOST_BYTES) + MOST_BYTES;
  if (!made_end) made_end = (uint8_t *)before_a_gap(MOST_BYTES) + MOST_BYTES;
  uint8_t *const source = source_end - source_bytes, *const made = made_end - target_bytes;
  uint8_t *const expected = malloc(target_bytes);
  for (size_t i = 0; i < source_bytes; i++) source[i] = (uint8_t)chance();
  int same = 1;
  for (int level = 0; level < CK_LEVEL_COUNT; level++) {
    photo.kernels = grain.kernels = ck_kernels_at((ck_level)level);
    if (!photo.kernels) continue;
    uint8_t *const target = level == CK_SCALAR ? expected : made;
    memset(target, GUARD, target_bytes);
    const int32_t cut = level == CK_SCALAR ? 0 : grain.height / 2;
    const ck_photo_rows upper = { 0, cut, source, source_stride, target, target_stride };
    const ck_photo_rows lower = { cut, grain.height, source + cut * source_stride, source_stride,
                                  target + cut * target_stride, target_stride };
    ck_photo_apply(&photo, 7, number, &lower);
    ck_photo_apply(&photo, 7, number, &upper);
    if (level == CK_SCALAR || memcmp(made, expected, target_bytes) == 0) continue;
    same = 0;
    if (++told <= 8)
      fprintf(
          stderr, "case %d: photograph of %s differs from scalar (%d points, %d×%d)\n", number, level_names[level],
          table.size, grain.width, grain.height);
  }
  for (size_t i = 0; i < target_bytes; i++) sum = (sum ^ expected[i]) * 1099511628211u;
  free(expected);
  return same;
}

/// The same for the operations by themselves, on a few pixels: codes behind them stay as they are.
static int check_pixels(int number) {
  state = (uint64_t)number << 40 | 3;
  // Room for whole vectors behind the last pixel.
  enum { MOST_PIXELS = 33, CODES = CK_RGB * (MOST_PIXELS + 16) };
  enum { CONVERT, TABLE, GRAIN, OPERATIONS };
  static const char *const names[OPERATIONS] = { "conversion", "table", "grain" };
  const int32_t pixels = number % MOST_PIXELS + 1;
  const ck_rgb_conversion conversion = choose_conversion();
  const ck_rgb_table table = choose_rgb_table();
  const int shift = (int)between(8, 24);
  uint32_t luma[3];
  choose_luma(luma);
  static int16_t *noise_end;
  if (!noise_end) noise_end = (int16_t *)before_a_gap(MOST_PIXELS * (ptrdiff_t)sizeof *noise_end) + MOST_PIXELS;
  int16_t *const noise = noise_end - pixels;
  for (int32_t i = 0; i < pixels; i++) noise[i] = (int16_t)between(-16383, 16383);
  uint16_t source[CODES], expected[CODES], made[CODES];
  memset(source, GUARD, sizeof source);
  for (int32_t i = 0; i < CK_RGB * pixels; i++)
    source[i] = (uint16_t)(between(0, 7) ? (int64_t)chance() : 65535 * between(0, 1));
  int same = 1;
  for (int operation = 0; operation < OPERATIONS; operation++) {
    for (int level = 0; level < CK_LEVEL_COUNT; level++) {
      const ck_kernels *const kernels = ck_kernels_at((ck_level)level);
      if (!kernels) continue;
      uint16_t *const codes = level == CK_SCALAR ? expected : made;
      memcpy(codes, source, sizeof source);
      if (operation == CONVERT) kernels->rgb_convert(&conversion, pixels, codes);
      else if (operation == TABLE) kernels->rgb_table(&table, pixels, codes);
      else kernels->rgb_grain(amplitudes, shift, luma, noise, pixels, codes);
      // Nobody reads the fourth code of a pixel.
      for (int32_t i = 0; i < pixels; i++) codes[CK_RGB * i + 3] = 0;
      const size_t used = CK_RGB * (size_t)pixels * sizeof *codes;
      const int keeps = memcmp(codes + CK_RGB * pixels, source + CK_RGB * pixels, sizeof source - used) == 0;
      if (keeps && memcmp(codes, expected, used) == 0) continue;
      same = 0;
      if (++told <= 8)
        fprintf(
            stderr, "case %d: %s of %s %s (%d pixels, %d points)\n", number, names[operation], level_names[level],
            keeps ? "differs from scalar" : "writes behind the last pixel", pixels, table.size);
    }
    for (int32_t i = 0; i < CK_RGB * pixels; i++) sum = (sum ^ expected[i]) * 1099511628211u;
  }
  return same;
}

/// The same for histograms.
static int check_histogram(int number) {
  state = (uint64_t)number << 32;
  static int64_t parts[CK_PARTS * CK_MOST_CODES];
  static uint32_t counts[CK_COUNTS], tables[CK_LEVEL_COUNT][4][CK_MOST_CODES];
  ck_histogram histogram = {
    .layout = layouts[number % LAYOUTS], .width = (int32_t)(number % 4 ? between(1, 67) : between(1, 600)),
    .height = (int32_t)between(1, 9), .parts = between(0, 3) ? parts : 0, .counts = counts,
  };
  const int32_t codes = histogram.layout.max_code + 1;
  histogram.below = (int32_t)between(0, 2 * codes);
  // Each is below the number of codes, so that three are within the span.
  for (int part = 0; part < CK_PARTS; part++)
    for (int32_t code = 0; code < codes; code++)
      parts[part * CK_MOST_CODES + code] = between(0, ((int64_t)codes << CK_PART_BITS) - 1);
  const shape shape = shape_of(&histogram.layout, histogram.width, histogram.height);
  uint8_t *const source = malloc((size_t)shape.bytes);
  for (ptrdiff_t i = 0; i < shape.bytes; i++) source[i] = (uint8_t)chance();
  const ck_picture picture = picture_of(&shape, source);
  int same = 1;
  for (int level = 0; level < CK_LEVEL_COUNT; level++) {
    histogram.kernels = ck_kernels_at((ck_level)level);
    if (!histogram.kernels) continue;
    uint32_t(*const made)[CK_MOST_CODES] = tables[level];
    memset(made, 0, sizeof tables[level]);
    const int32_t cut = level == CK_SCALAR ? 0 : histogram.height / 4 * 2;
    ck_histogram_count(&histogram, &picture, cut, histogram.height);
    ck_histogram_count(&histogram, &picture, 0, cut);
    ck_histogram_take(&histogram, made[0], made[1], made[2], made[3]);
    if (memcmp(made, tables[CK_SCALAR], sizeof tables[level]) == 0) continue;
    same = 0;
    if (++told <= 8)
      fprintf(
          stderr, "case %d: histogram of %s differs from scalar (%d×%d)\n", number, level_names[level],
          histogram.width, histogram.height);
  }
  for (int table = 0; table < 4; table++)
    for (int32_t code = 0; code < codes; code++)
      sum = (sum ^ tables[CK_SCALAR][table][code]) * 1099511628211u;
  free(source);
  return same;
}

// MARK: Pictures of frames

enum { MOST_SAMPLES = 1300, MOST_TAPS = 40 };

/// An axis of a view: any places that rise, and any weights.
static ck_axis choose_axis(int32_t source, int32_t count) {
  static int32_t firsts[6][MOST_SAMPLES];
  static uint32_t weights[6][MOST_SAMPLES * MOST_TAPS];
  static int turn;
  const int at = turn++ % 6;
  ck_axis axis = { source, count, (int32_t)between(1, source < MOST_TAPS ? source : MOST_TAPS), CK_NO_BOX, firsts[at],
                   weights[at] };
  for (int32_t i = 0; i < count; i++)
    firsts[at][i] = (int32_t)((int64_t)i * (source - axis.taps) / (count > 1 ? count - 1 : 1));
  for (int32_t i = 0; i < count; i++) {
    int64_t rest = 1 << CK_SCALE_BITS;
    for (int32_t tap = 0; tap < axis.taps; tap++) {
      const int64_t weight = tap + 1 < axis.taps ? between(0, rest) : rest;
      weights[at][tap * count + i] = (uint32_t)weight;
      rest -= weight;
    }
  }
  for (int32_t box = 0; box <= CK_LARGEST_BOX; box++)
    if (source == count << box) axis.box = box;
  return axis;
}

/// The same for pictures: plain C to the whole, the others by rows where they can.
static int check_view(int number) {
  state = (uint64_t)number << 48 | 5;
  const ck_layout *layout = &layouts[number % LAYOUTS];
  ck_view view = { .input = *layout };
  const int32_t columns = (int32_t)(number % 8 ? between(1, 130) : between(1, 1200)), rows = (int32_t)between(1, 20);
  const int32_t left = 2 * (int32_t)between(0, 3), top = 2 * (int32_t)between(0, 2);
  const int box = (int)between(0, 3);
  const int32_t width = box < 3 && columns >> box ? columns >> box : (int32_t)between(1, columns);
  const int32_t height = box < 3 && rows >> box ? rows >> box : (int32_t)between(1, rows);
  const int32_t across = layout->chroma_columns, down = layout->chroma_rows;
  const int32_t chroma_columns = (columns + across - 1) / across, chroma_rows = (rows + down - 1) / down;
  view.luma = (ck_view_plane){ left, top, choose_axis(columns, width), choose_axis(rows, height) };
  view.chroma = (ck_view_plane){ left / across, top / down, choose_axis(chroma_columns, (width + 1) / 2),
                                 choose_axis(chroma_rows, (height + 1) / 2) };
  view.single = (ck_view_plane){ left / across, top / down, choose_axis(chroma_columns, width),
                                 choose_axis(chroma_rows, height) };
  view.mirrors_columns = (uint8_t)between(0, 1);
  view.mirrors_rows = (uint8_t)between(0, 1);
  view.transposes = (uint8_t)between(0, 1);
  ck_bake bake = { .input = *layout, .output = layouts[2] };
  choose_linear(&bake);
  view.operation = (ck_view_operation)between(layout->max_code == 255 ? CK_VIEW_KEEP : CK_VIEW_RESCALE, CK_VIEW_RGB);
  view.rescale_luma = bake.luma;
  view.rescale_chroma = bake.chroma;
  view.matrix = bake.matrix;
  memset(view.rounding, 64, sizeof view.rounding);
  const ck_rgb_conversion conversion = choose_conversion();
  view.conversion = between(0, 1) ? &conversion : 0;
  const int64_t unit = ((int64_t)65535 << CK_TO_RGB_SHIFT) / layout->max_code, middle = (layout->max_code + 1) / 2;
  const int64_t part = (1 << CK_FROM_RGB_SHIFT) / 257;
  view.to_rgb.y = (int32_t)between(unit / 2, unit);
  for (int c = 0; c < 3; c++) {
    view.to_rgb.cb[c] = (int32_t)between(-unit, unit);
    view.to_rgb.cr[c] = (int32_t)between(-unit, unit);
    view.to_rgb.add[c] = (int32_t)(-middle * ((int64_t)view.to_rgb.cb[c] + view.to_rgb.cr[c]));
    view.from_rgb.y[c] = (int32_t)between(0, part / 3);
    view.from_rgb.cb[c] = (int32_t)between(-part / 12, part / 12);
    view.from_rgb.cr[c] = (int32_t)between(-part / 12, part / 12);
  }
  view.from_rgb.cb_add = view.from_rgb.cr_add = 128 << CK_FROM_RGB_SHIFT;

  const shape from = shape_of(layout, left + columns, top + rows);
  const int32_t wide = view.transposes ? height : width, tall = view.transposes ? width : height;
  const shape to = shape_of(&layouts[2], wide, tall);
  const int code_bytes = (int)between(1, 2);
  const size_t rgb_bytes = (size_t)wide * (size_t)tall * 3 * (size_t)code_bytes;
  uint8_t *const source = malloc((size_t)from.bytes);
  uint8_t *const expected = malloc((size_t)to.bytes), *const made = malloc((size_t)to.bytes);
  uint8_t *const expected_rgb = malloc(rgb_bytes), *const made_rgb = malloc(rgb_bytes);
  const size_t room = ck_view_room(&view);
  view.room = aligned_alloc(64, (room + 63) & ~(size_t)63);
  memset(view.room, 0, room);
  for (ptrdiff_t i = 0; i < from.bytes; i++) source[i] = (uint8_t)chance();
  const ck_picture input = picture_of(&from, source);
  int same = 1;
  for (int level = 0; level < CK_LEVEL_COUNT; level++) {
    view.kernels = ck_kernels_at((ck_level)level);
    if (!view.kernels) continue;
    uint8_t *const target = level == CK_SCALAR ? expected : made;
    uint8_t *const rgb = level == CK_SCALAR ? expected_rgb : made_rgb;
    memset(target, GUARD, (size_t)to.bytes);
    const ck_picture output = picture_of(&to, target);
    ck_view_frame(&view, &input, &output);
    const int32_t cut = level == CK_SCALAR ? 0 : tall / 2;
    if (cut) ck_view_rgb(&view, &input, 0, cut, code_bytes, rgb);
    ck_view_rgb(&view, &input, cut, tall, code_bytes, rgb + (ptrdiff_t)cut * wide * 3 * code_bytes);
    if (level == CK_SCALAR) continue;
    if (memcmp(made, expected, (size_t)to.bytes) == 0 && memcmp(made_rgb, expected_rgb, rgb_bytes) == 0) continue;
    same = 0;
    if (++told <= 8)
      fprintf(
          stderr, "case %d: picture of %s differs from scalar (%d×%d to %d×%d, operation %d)\n", number,
          level_names[level], columns, rows, width, height, view.operation);
  }
  for (ptrdiff_t i = 0; i < to.bytes; i++) sum = (sum ^ expected[i]) * 1099511628211u;
  for (size_t i = 0; i < rgb_bytes; i++) sum = (sum ^ expected_rgb[i]) * 1099511628211u;
  free(source);
  free(expected);
  free(made);
  free(expected_rgb);
  free(made_rgb);
  free(view.room);
  return same;
}

int main(int count, char **arguments) {
  for (int i = 1; i < count; i++) {
    int level = 0;
    while (level < CK_LEVEL_COUNT && strcmp(level_names[level], arguments[i])) level++;
    if (level < CK_LEVEL_COUNT && ck_kernels_at((ck_level)level)) continue;
    fprintf(stderr, "levels: '%s' is not there on this processor\n", arguments[i]);
    return 64;
  }
  int failures = 0;
  make_photo_tables();
  for (int number = 0; number < CASES; number++)
    failures += !check(number) + !check_grain(number) + !check_photo(number) + !check_pixels(number)
      + !check_histogram(number) + !check_view(number);
  fprintf(stderr, "%d cases of bakes, of grain, of photographs, of histograms and of pictures,", CASES);
  for (int level = 0; level < CK_LEVEL_COUNT; level++)
    if (compared[level]) fprintf(stderr, " %s", level_names[level]);
  fprintf(stderr, ": %d differ\n", failures);
  printf("%016llx\n", (unsigned long long)sum);
  return failures ? 1 : 0;
}
