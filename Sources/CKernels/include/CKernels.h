#ifndef CKERNELS_H
#define CKERNELS_H

#include <stddef.h>
#include <stdint.h>

// The pixel operations, in integers only, so that every instruction set can give the same bits.
// Every symbol begins with ck_. Nothing here allocates, blocks or keeps state.
//
// A bake goes through the picture in pairs of rows and pieces of CK_PIECE columns: a load stage reads the codes of a
// piece from any layout into rows of 16-bit codes, a linear or a table stage computes the output's codes, and a store
// stage writes them to any layout. The stages share only these rows, so that layouts and operations do not multiply.

enum { CK_PIECE = 256 };

// MARK: Layouts

/// The position of one component's samples: the plane, the first sample's byte in a row, bytes from sample to sample.
typedef struct ck_component {
  uint8_t plane, offset, step;
} ck_component;

typedef struct ck_layout {
  ck_component y, cb, cr;
  uint8_t sample_bytes;  ///< 1, or 2 (little endian)
  uint8_t shift;         ///< code = word >> shift
  uint8_t chroma_columns;  ///< pixels side by side that share a chroma sample: 1 or 2; 1 needs chroma_rows 1
  uint8_t chroma_rows;   ///< picture rows that share a chroma row: 1 or 2
  uint16_t max_code;     ///< 255 or 1023
} ck_layout;

typedef struct ck_plane {
  uint8_t *data;
  ptrdiff_t stride;  ///< bytes
} ck_plane;

typedef struct ck_picture {
  ck_plane planes[3];
} ck_picture;

// MARK: Rounding

/// Every result is rounded by adding a threshold below one code and dropping the fraction bits: one half, or an ordered
/// pattern that preserves detail when the bit depth is reduced. In 2^−CK_ROUNDING_BITS of a code, for the rows and
/// columns of the picture (for chroma, of its chroma planes), repeated every eight.
typedef struct ck_rounding {
  uint8_t rows[8][CK_PIECE];
} ck_rounding;

enum { CK_ROUNDING_BITS = 7 };

// MARK: Linear operations, for a change of range, depth or matrix without a table

/// out = clamp((((a + b) · mul + add + threshold) >> CK_RESCALE_SHIFT) − CK_RESCALE_BIAS), where a and b are two codes
/// to average.
typedef struct ck_rescale {
  uint32_t mul;
  uint64_t add;
  int32_t max_code;
} ck_rescale;

enum { CK_RESCALE_SHIFT = 24, CK_RESCALE_BIAS = 4096 };

/// Y' from Y', Cb and Cr; Cb and Cr each from both of them, without luma. All are scaled by 2^CK_MATRIX_SHIFT, without
/// the rounding; the chroma rows take the sum of two codes with half the weight.
typedef struct ck_matrix {
  int32_t y[3], y_add;
  int32_t cb[2], cb_add;
  int32_t cr[2], cr_add;
  int32_t max_code;
} ck_matrix;

enum { CK_MATRIX_SHIFT = 18 };

// MARK: Table operations

/// Codes to coordinates of a table's grid, per channel (red, green, blue):
/// t = clamp((Y · y + Cb · cb + Cr · cr + add) >> CK_COORDINATE_SHIFT, 0, max).
///
/// The high parts (coefficient >> shift) and the low parts may be summed separately in 32 bits: that gives the same
/// bits, because the sum of the low parts fits and that of the high parts wraps back.
typedef struct ck_coordinates {
  int64_t y[3], cb[3], cr[3], add[3];
  int32_t max;
} ck_coordinates;

enum {
  /// Extra fraction bits of the coefficients, compared with the coordinates.
  CK_COORDINATE_SHIFT = 15,
  /// Fraction bits of the coordinates for 16-bit tables.
  CK_NARROW_BITS = 14,
};

/// Curves from coordinates to coordinates: c[i] + ((c[i + 1] − c[i]) · fraction >> fraction_bits), rounded to `drop`
/// fewer bits, clamped.
typedef struct ck_shaper {
  const int32_t *points[3];  ///< one more than the curve has: the last is repeated
  int32_t fraction_bits;     ///< of the input coordinates
  int32_t drop, max;         ///< of the output coordinates
} ck_shaper;

/// Table points hold Y', Cb, Cr of the output, scaled by a power of two and without the code offsets.
typedef struct ck_table {
  /// Lattice: size³ points of four int16 (or int32), red fastest, then size² + size + 1 more that get weight 0.
  /// Curves: three times (size + 1) points of four int32.
  const void *points;
  /// A second copy of an int16 lattice, by cells (`ck_fill_cells`), or NULL: then the kernels use the points.
  const int16_t *cells;
  int32_t size;
  int32_t fraction_bits;  ///< of the coordinates; CK_NARROW_BITS for points of int16
} ck_table;

/// Weighted sums to codes: (sum + add + threshold) >> shift, clamped. In the narrow kernels the sums have 32 bits and
/// are stored in the chroma rows unchanged; in the wide ones they have 64 bits and lose `chroma_drop` bits on the way.
typedef struct ck_output {
  int64_t y_add;
  int32_t y_shift;
  int32_t chroma_drop;
  int32_t chroma_add;    ///< for the sum of four pixels
  int32_t chroma_shift;  ///< for the sum of four pixels
  int32_t max_code;
} ck_output;

/// A row of coordinates, one array per channel, with the first and second pixels of the pairs separate: they share
/// their chroma on the way in, and their results are added on the way out. Aligned for the widest vectors.
typedef struct ck_row {
  _Alignas(64) int32_t red[2][CK_PIECE / 2], green[2][CK_PIECE / 2], blue[2][CK_PIECE / 2];
} ck_row;

// MARK: The kernels

/// The layout of samples in a row: bytes per sample, and bytes from one sample to the next, which form an element.
typedef enum ck_access { CK_1_1, CK_1_2, CK_1_4, CK_2_2, CK_2_4, CK_2_8, CK_ACCESS_COUNT } ck_access;

// A row of rounding begins at the same column as the rows of codes. All rows of codes, sums and coordinates have room
// for a whole piece, whatever the count, and values beyond the count may be overwritten. In pictures, only the
// requested samples and their elements are touched.

/// - offset: of the sample in its element, in bytes.
typedef void ck_load_fn(
    const uint8_t *row, int offset, ptrdiff_t count, int shift, uint16_t max_code, uint16_t *codes);
typedef void ck_store_fn(const uint16_t *codes, ptrdiff_t count, int shift, uint8_t *row);
/// Two samples side by side.
typedef void ck_store_pairs_fn(
    const uint16_t *first, const uint16_t *second, ptrdiff_t count, int shift, uint8_t *row);
typedef void ck_rescale_fn(
    const ck_rescale *op, const uint16_t *a, const uint16_t *b, const uint8_t *rounding, ptrdiff_t count,
    uint16_t *out);
typedef void ck_matrix_luma_fn(
    const ck_matrix *op, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, const uint8_t *rounding,
    ptrdiff_t pairs, uint16_t *out);
typedef void ck_matrix_chroma_fn(
    const ck_matrix *op, const uint16_t *const cb[2], const uint16_t *const cr[2], const uint8_t *rounding,
    ptrdiff_t count, uint16_t *cb_out, uint16_t *cr_out);
typedef void ck_coordinates_fn(
    const ck_coordinates *map, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, ptrdiff_t pairs, ck_row *row);
typedef void ck_shape_fn(const ck_shaper *shaper, ptrdiff_t pairs, ck_row *row);
/// `pairs` pairs of pixels: a luma code for each pixel, a chroma sum for each pair.
typedef void ck_table_fn(
    const ck_table *table, const ck_output *output, const ck_row *row, const uint8_t *rounding, ptrdiff_t pairs,
    uint16_t *y, int32_t *cb, int32_t *cr);
/// Averages two rows of chroma sums to codes.
typedef void ck_chroma_fn(
    const ck_output *output, const int32_t *a, const int32_t *b, const uint8_t *rounding, ptrdiff_t count,
    uint16_t *out);


// MARK: Grain

enum {
  /// Taps on one side of the blur, at most.
  CK_GRAIN_RADIUS = 63,
  /// Fraction bits of the blur's weights.
  CK_GRAIN_BITS = 15,
};

/// `groups` groups of four samples of white noise, even from −16320 to 16320 in steps of 128, from group `first` of a
/// row on. Each group is a hash of the row's key and its own number, so that any part of any row can be made by itself.
typedef void ck_grain_noise_fn(const uint32_t key[2], uint32_t first, ptrdiff_t groups, int16_t *noise);
/// out[i] = weights[0] · rows[0][i] + Σ weights[k] · (rows[2k − 1][i] + rows[2k][i]), each product rounded to whole
/// numbers. No row goes beyond ±16383, and the weights, with those of k counted twice, add up to at most 32767.
typedef void ck_grain_blur_fn(
    const int16_t *weights, int radius, const int16_t *const *rows, ptrdiff_t count, int16_t *out);
/// codes[i] += (noise[i] · amplitude[codes[i]] + half) >> shift, held within 0 and `max_code`.
typedef void ck_grain_add_fn(
    const uint16_t *amplitude, int shift, uint16_t max_code, const int16_t *noise, ptrdiff_t count, uint16_t *codes);

// MARK: Histograms

enum {
  /// Codes of the greatest depth.
  CK_MOST_CODES = 1024,
  /// Fraction bits of what a code adds to a channel.
  CK_PART_BITS = 48,
  /// A channel takes so many times its codes, before it is held within them.
  CK_CHANNEL_SPAN = 4,
  /// Pixels side by side are counted in different tables: if they are the same, one would have to wait for the other.
  CK_LUMA_TABLES = 8,
  CK_CHANNEL_TABLES = 2,
  /// Counts from the end of a table to the next one. Processors take addresses for the same, at first, that lie a
  /// multiple of 4096 bytes apart.
  CK_TABLE_GAP = 16,
  CK_COUNTS = CK_LUMA_TABLES * (CK_MOST_CODES + CK_TABLE_GAP)
    + 3 * CK_CHANNEL_TABLES * (CK_CHANNEL_SPAN * CK_MOST_CODES + CK_TABLE_GAP),
};

/// What the codes of Y', Cb and Cr add to red, green and blue. Y' adds the same to each.
typedef enum ck_part {
  CK_Y,
  CK_RED_BY_CR,
  CK_GREEN_BY_CB,
  CK_GREEN_BY_CR,
  CK_BLUE_BY_CB,
  CK_PARTS
} ck_part;

// MARK: Photographs

enum {
  /// Numbers that a pixel of a photograph takes: red, green, blue, and one that nobody reads.
  CK_RGB = 4,
  /// Fraction bits of light: 1 is white.
  CK_LIGHT_BITS = 24,
  /// Fraction bits of light where it is encoded again.
  CK_ENCODED_LIGHT_BITS = 16,
  /// Fraction bits of the distance between two points of a table for photographs.
  CK_RGB_TABLE_BITS = 15,
  /// Fraction bits of the weights of luma.
  CK_RGB_LUMA_BITS = 16,
  /// Luma has 12 bits where it decides on the amplitude of grain.
  CK_RGB_AMPLITUDES = 4096,
};

/// From the codes of one RGB space to those of another, through light. 16 bits for each code.
typedef struct ck_rgb_conversion {
  /// Light by code, 65536 of them, −2^CK_LIGHT_BITS to 2^CK_LIGHT_BITS.
  const int32_t *decode[3];
  /// What light is multiplied by before the matrix, in 2^−CK_LIGHT_BITS: by luminance held within 0 and 1,
  /// 2^CK_ENCODED_LIGHT_BITS + 1 of them, 0 to 2^CK_LIGHT_BITS. Or NULL.
  const int32_t *gain;
  int32_t luminance[3];      ///< weights of light in it, in 2^−CK_LIGHT_BITS; they add up to 1
  int32_t matrix[9];         ///< by rows
  int32_t matrix_bits;       ///< fraction bits of the matrix, 0 to 30
  /// Codes by light held within 0 and 1, 2^CK_ENCODED_LIGHT_BITS + 1 of them.
  const uint16_t *encode;
} ck_rgb_conversion;

/// size³ points of four uint16, red fastest, then size² + size + 1 more that get weight 0. Codes 0 and 65535 lie on the
/// first and the last point.
typedef struct ck_rgb_table {
  const uint16_t *points;
  int32_t size;  ///< 2 to 129
} ck_rgb_table;

/// `count` pixels of one channel (grey) or three to CK_RGB codes; a byte is spread over the 16 bits.
typedef void ck_rgb_load_fn(const void *row, int channels, ptrdiff_t count, uint16_t *codes);
/// The first three codes of `count` pixels, CK_PIECE at most; to a byte each, they are rounded.
typedef void ck_rgb_store_fn(const uint16_t *codes, ptrdiff_t count, void *row);
/// Each in place, for `count` pixels of CK_RGB codes, CK_PIECE at most. Nothing behind them is read or written.
typedef void ck_rgb_convert_fn(const ck_rgb_conversion *conversion, ptrdiff_t count, uint16_t *codes);
/// Tetrahedral interpolation.
typedef void ck_rgb_table_fn(const ck_rgb_table *table, ptrdiff_t count, uint16_t *codes);
/// Adds (noise · amplitude[luma] + half) >> shift to all three channels, held within 0 and 65535. The weights of luma
/// add up to 2^CK_RGB_LUMA_BITS.
typedef void ck_rgb_grain_fn(
    const uint16_t *amplitude, int shift, const uint32_t luma[3], const int16_t *noise, ptrdiff_t count,
    uint16_t *codes);

// MARK: Pictures of frames

enum {
  /// Fraction bits of the weights of an area average.
  CK_SCALE_BITS = 20,
  /// An axis that is no box.
  CK_NO_BOX = -1,
  /// The largest box: 2^2 samples.
  CK_LARGEST_BOX = 2,
  /// Fraction bits of a `ck_to_rgb`.
  CK_TO_RGB_SHIFT = 12,
  /// Fraction bits of a `ck_from_rgb`.
  CK_FROM_RGB_SHIFT = 22,
};

/// How one axis of a plane is scaled: each sample of the result is the mean of the samples that it covers, by how much
/// of each it covers.
typedef struct ck_axis {
  int32_t source;  ///< samples
  int32_t count;   ///< samples of the result
  int32_t taps;    ///< samples that one of the result covers, at most
  /// log2 of n if sample i is the mean of the samples n · i up to n · (i + 1), and there are no others; else CK_NO_BOX.
  int32_t box;
  const int32_t *first;     ///< by sample of the result
  /// [tap · count + sample of the result]: in 2^−CK_SCALE_BITS, 1 in total; those beyond the source are 0.
  const uint32_t *weights;
} ck_axis;

/// Y'CbCr codes to R'G'B' of 16 bits, held within 0 and 65535: sums shifted by CK_TO_RGB_SHIFT, half included in `add`.
typedef struct ck_to_rgb {
  int32_t y, cb[3], cr[3], add[3];
} ck_to_rgb;

/// R'G'B' of 16 bits to Y'CbCr of 8 bits: sums shifted by CK_FROM_RGB_SHIFT, half included in `add`. Chroma takes the
/// sums of four pixels.
typedef struct ck_from_rgb {
  int32_t y[3], y_add;
  int32_t cb[3], cb_add;
  int32_t cr[3], cr_add;
} ck_from_rgb;

// The sums of a row's columns, with weights of CK_SCALE_BITS.
typedef void ck_scale_down_fn(const uint16_t *codes, uint32_t weight, ptrdiff_t count, uint32_t *sums);
/// `count` samples of the result from `first` on, rounded; `sums` begins at the first sample that the first one covers,
/// and has `taps` elements more than are used.
typedef void ck_scale_across_fn(
    const ck_axis *axis, ptrdiff_t first, ptrdiff_t count, const uint32_t *sums, uint16_t *codes);
typedef void ck_box_down_fn(const uint16_t *codes, ptrdiff_t count, uint16_t *sums);
/// - shift: log2 of the number of samples in a sum of sums.
typedef void ck_box_across_fn(int box, int shift, ptrdiff_t count, const uint16_t *sums, uint16_t *codes);
/// `count` means of 2×2 samples of one byte each that lie side by side or, for `halve_pairs`, in elements of two bytes.
typedef void ck_halve_fn(
    const uint8_t *upper, const uint8_t *lower, int offset, ptrdiff_t count, uint16_t *codes);
/// CK_RGB codes a pixel.
typedef void ck_to_rgb_fn(
    const ck_to_rgb *op, const uint16_t *y, const uint16_t *cb, const uint16_t *cr, ptrdiff_t count, uint16_t *codes);
typedef void ck_from_rgb_luma_fn(const ck_from_rgb *op, const uint16_t *codes, ptrdiff_t count, uint16_t *y);
typedef void ck_from_rgb_chroma_fn(
    const ck_from_rgb *op, const uint16_t *upper, const uint16_t *lower, ptrdiff_t pairs, uint16_t *cb, uint16_t *cr);

typedef enum ck_interpolation {
  CK_TETRAHEDRAL_16,  ///< points of int16
  CK_TRILINEAR_16,
  CK_TETRAHEDRAL_32,  ///< points of int32
  CK_TRILINEAR_32,
  CK_CURVES,  ///< points of int32
  CK_INTERPOLATION_COUNT
} ck_interpolation;

/// One implementation of every operation. All give the same bits.
typedef struct ck_kernels {
  ck_load_fn *load[CK_ACCESS_COUNT];
  ck_store_fn *store[CK_ACCESS_COUNT];
  ck_store_pairs_fn *store_pairs[2];  ///< by bytes per sample, less 1
  ck_rescale_fn *rescale;
  ck_matrix_luma_fn *matrix_luma;
  ck_matrix_chroma_fn *matrix_chroma;
  ck_coordinates_fn *coordinates;
  ck_shape_fn *shape;
  ck_table_fn *interpolate[CK_INTERPOLATION_COUNT];
  ck_chroma_fn *chroma;
  ck_grain_noise_fn *grain_noise;
  ck_grain_blur_fn *grain_blur;
  ck_grain_add_fn *grain_add;
  ck_rgb_load_fn *rgb_load[2];  ///< by bytes per sample, less 1
  ck_rgb_store_fn *rgb_store[2];
  ck_rgb_convert_fn *rgb_convert;
  ck_rgb_table_fn *rgb_table;
  ck_rgb_grain_fn *rgb_grain;
  ck_scale_down_fn *scale_begin, *scale_add;
  ck_scale_across_fn *scale_across;
  ck_box_down_fn *box_add;
  ck_box_across_fn *box_across;
  ck_halve_fn *halve, *halve_pairs;
  ck_to_rgb_fn *to_rgb;
  ck_from_rgb_luma_fn *from_rgb_luma;
  ck_from_rgb_chroma_fn *from_rgb_chroma;
  uint8_t takes_cells;  ///< faster with a table's cells than with its points
} ck_kernels;

/// Instruction sets, in order of preference.
typedef enum ck_level { CK_SCALAR, CK_NEON, CK_AVX2, CK_AVX512, CK_LEVEL_COUNT } ck_level;

/// The kernels of a level, the same for every call, or NULL if this processor, its system or this build lacks it.
/// CK_SCALAR is always available: plain C, which the others are checked against.
const ck_kernels *ck_kernels_at(ck_level level);

/// The number of cells of a lattice of `size` points, including those after its last points.
size_t ck_cell_count(int32_t size);

/// Orders the points of a lattice by cells: 32 int16 for each, Y' of its eight corners (bit 0 of their number is red,
/// bit 1 green, bit 2 blue), then Cb, then Cr, then 0. Corners after the last point are 0, and so is their weight.
void ck_fill_cells(const int16_t *points, int32_t size, int16_t *cells);

/// Asks the system for large pages for memory that has not been written yet, in whole pages of 2 MiB.
void ck_prefer_large_pages(void *memory, size_t bytes);

// MARK: The bake

/// The operation between load and store.
typedef enum ck_operation { CK_RESCALE, CK_MATRIX, CK_TABLE } ck_operation;

/// A prepared bake: constant while it is in use, shared by any number of threads.
///
/// If the input has a chroma sample for each pixel, so has the output. Such a pixel counts as a pair of two equal
/// pixels, and the rounding is then the same everywhere.
typedef struct ck_bake {
  const ck_kernels *kernels;
  ck_layout input, output;
  int32_t width, height;
  ck_rounding rounding;
  ck_operation operation;

  ck_rescale luma, chroma;               // CK_RESCALE
  uint8_t keeps_codes;                   // only the layout changes: neither range, depth nor subsampling
  ck_matrix matrix;                      // CK_MATRIX
  ck_coordinates coordinates;            // CK_TABLE
  uint8_t has_shaper;
  ck_shaper shaper;
  ck_interpolation interpolation;
  ck_table table;
  ck_output result;
} ck_bake;

/// Bakes the rows first ≤ row < end. `first` is even; `end` is even or the height. Calls for different rows of one
/// picture may run at the same time.
void ck_bake_rows(
    const ck_bake *bake, const ck_picture *source, const ck_picture *target, int32_t first, int32_t end);

/// Grain for luma, prepared for one format: constant while it is in use, shared by any number of threads.
typedef struct ck_grain {
  const ck_kernels *kernels;
  ck_layout layout;
  int32_t width, height;
  int32_t radius;  ///< of the blur, at most CK_GRAIN_RADIUS
  int16_t weights[CK_GRAIN_RADIUS + 1];  ///< of the blur, from its middle on
  const uint16_t *amplitude;  ///< by code, max_code + 1 of them
  int32_t shift;
} ck_grain;

/// Adds the grain that belongs to this seed and frame to the rows first ≤ row < end of a picture, in place. Calls for
/// different rows of one picture may run at the same time, and any division into rows gives the same bits.
void ck_grain_rows(
    const ck_grain *grain, uint64_t seed, int64_t frame, const ck_picture *picture, int32_t first, int32_t end);

/// What is counted of a picture.
typedef struct ck_histogram {
  const ck_kernels *kernels;
  ck_layout layout;
  int32_t width, height;
  /// [part · CK_MOST_CODES + code], in 2^−CK_PART_BITS of a code; or NULL for luma alone. CK_RED_BY_CR, CK_GREEN_BY_CB
  /// and CK_BLUE_BY_CB include `below` codes and the half for the rounding.
  const int64_t *parts;
  int32_t below;     ///< added to every channel, so that none is negative
  uint32_t *counts;  ///< CK_COUNTS, 0 at first
} ck_histogram;

/// Counts the rows first ≤ row < end. `first` is even; `end` is even or the height.
void ck_histogram_count(const ck_histogram *histogram, const ck_picture *picture, int32_t first, int32_t end);

/// How many pixels have been counted since the last call, by code: max_code + 1 numbers for luma, and for each channel,
/// if these are counted. What is outside a channel's codes counts as the least or the greatest of them.
void ck_histogram_take(const ck_histogram *histogram, uint32_t *luma, uint32_t *red, uint32_t *green, uint32_t *blue);

/// What is done to a photograph: constant while it is in use, shared by any number of threads.
typedef struct ck_photo {
  const ck_kernels *kernels;
  int32_t width;
  const ck_rgb_conversion *before;  ///< or NULL
  const ck_rgb_table *table;
  const ck_rgb_conversion *after;  ///< or NULL
  const ck_grain *grain;  ///< of this width, with CK_RGB_AMPLITUDES amplitudes and no layout; or NULL
  uint32_t luma[3];
  uint8_t source_channels;  ///< 1 (grey) or 3
  uint8_t source_bytes, target_bytes;  ///< for each code: 1, or 2 in the machine's order
} ck_photo;

/// Some rows of a photograph, from the top of the memory on.
typedef struct ck_photo_rows {
  int32_t first, end;
  const void *source;
  ptrdiff_t source_stride;  ///< bytes
  void *target;  ///< three codes a pixel
  ptrdiff_t target_stride;  ///< bytes
} ck_photo_rows;

/// Any division of a photograph into rows gives the same bits. Codes of 8 bits count as 257 times as much in between.
void ck_photo_apply(const ck_photo *photo, uint64_t seed, int64_t frame, const ck_photo_rows *rows);

/// One of luma and chroma of a view: what is taken of the source, in its samples, and how it is scaled.
typedef struct ck_view_plane {
  int32_t left, top;
  ck_axis across, down;
} ck_view_plane;

/// How the codes of a view become the picture's.
typedef enum ck_view_operation { CK_VIEW_KEEP, CK_VIEW_RESCALE, CK_VIEW_MATRIX, CK_VIEW_RGB } ck_view_operation;

/// A picture of a part of a frame: mirrored, scaled, exchanged rows for columns, in that order, which turns it any way;
/// then its colours are converted. `room` is written to, so that one thread at a time may use it.
typedef struct ck_view {
  const ck_kernels *kernels;
  ck_layout input;
  ck_view_plane luma;
  ck_view_plane chroma;  ///< scaled for a picture with a chroma sample for every 2×2 pixels
  ck_view_plane single;  ///< chroma, scaled for a picture with a sample for each pixel
  uint8_t mirrors_columns, mirrors_rows, transposes;

  ck_view_operation operation;  ///< of `ck_view_frame`; `ck_view_rgb` goes by RGB
  ck_rescale rescale_luma, rescale_chroma;  // CK_VIEW_RESCALE
  ck_matrix matrix;                         // CK_VIEW_MATRIX
  uint8_t rounding[CK_PIECE];               // of both: halves
  ck_to_rgb to_rgb;                         // CK_VIEW_RGB
  const ck_rgb_conversion *conversion;      // or NULL
  ck_from_rgb from_rgb;
  void *room;  ///< `ck_view_room` bytes, aligned to 64, 0 at first
} ck_view;

/// Bytes that a view needs to work in.
size_t ck_view_room(const ck_view *view);

/// The whole view as 4:2:0 of 8 bits in three planes.
void ck_view_frame(const ck_view *view, const ck_picture *source, const ck_picture *target);

/// The rows first ≤ row < end of the view, as three codes a pixel of `bytes` bytes each, 1, or 2 in the machine's
/// order, without gaps. Any division into rows gives the same bits.
void ck_view_rgb(
    const ck_view *view, const ck_picture *source, int32_t first, int32_t end, int bytes, void *target);

#endif
