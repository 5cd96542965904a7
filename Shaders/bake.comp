#version 450
#extension GL_GOOGLE_include_directive : require

// The bake of CKernels in GLSL, with the same bits: integers of 32 bits only, no optional feature.
//
// An invocation bakes a block of 8 × 2 pixels. In every layout its samples fill whole words of each row, so that no
// word has two writers; rows are padded to words, and so the last block may run past the picture's edge.

#include "constants.glsl"
#include "rounding.glsl"
#include "wide.glsl"
#include "linear.glsl"
#include "table.glsl"

layout(local_size_x = 32, local_size_y = 4) in;
layout(std430, binding = 0) readonly buffer Source { uint source_words[]; };
layout(std430, binding = 1) writeonly buffer Target { uint target_words[]; };

const int COLUMNS = 8, PAIRS = COLUMNS / 2;

// The codes of a block; chroma as (Cb, Cr).
int y[2][COLUMNS];
ivec2 chroma[2][PAIRS];
int made_y[2][COLUMNS];
ivec2 made_chroma[2][PAIRS];

// MARK: Load

int code_at(int address) {
  const uint word = source_words[address >> 2];
  if (FROM_BYTES == 1) return int(word >> ((address & 3) << 3) & 0xFFu);
  return min(int((word >> ((address & 2) << 3) & 0xFFFFu) >> FROM_SHIFT), FROM_MAX);
}

void load(int left, int top, int lower) {
  for (int row = 0; row <= lower; row++) {
    const int start = FROM_Y + (top + row) * FROM_Y_STRIDE + left * FROM_Y_STEP;
    // Of a pair that the edge cuts, the pixel that exists counts twice.
    const int last = WIDTH - 1 - left;
    for (int i = 0; i < COLUMNS; i++) y[row][i] = code_at(start + min(i, last) * FROM_Y_STEP);
  }
  for (int row = 0; row <= (FROM_CHROMA_ROWS == 1 ? lower : 0); row++) {
    const int at = top / FROM_CHROMA_ROWS + row;
    for (int i = 0; i < PAIRS; i++)
      chroma[row][i] = ivec2(
        code_at(FROM_CB + at * FROM_CB_STRIDE + (left / 2 + i) * FROM_CB_STEP),
        code_at(FROM_CR + at * FROM_CR_STRIDE + (left / 2 + i) * FROM_CR_STEP));
  }
}

// MARK: Store

uint words[8];

void put(int at, int code) { words[at >> 2] |= uint(code << TO_SHIFT) << ((at & 3) << 3); }

// The block's samples in row `at` of a plane.
void store_row(int plane, int base, int stride, int left, int at, int row) {
  const bool has_luma = TO_Y_PLANE == plane;
  const int step = has_luma ? 2 * TO_Y_STEP : TO_CB_PLANE == plane ? TO_CB_STEP : TO_CR_STEP;
  for (int i = 0; i < step; i++) words[i] = 0;
  if (has_luma) for (int i = 0; i < COLUMNS; i++) put(TO_Y_OFFSET + i * TO_Y_STEP, made_y[row][i]);
  if (TO_CB_PLANE == plane) for (int i = 0; i < PAIRS; i++) put(TO_CB_OFFSET + i * TO_CB_STEP, made_chroma[row][i].x);
  if (TO_CR_PLANE == plane) for (int i = 0; i < PAIRS; i++) put(TO_CR_OFFSET + i * TO_CR_STEP, made_chroma[row][i].y);
  // Bytes of two columns times four pairs, in words.
  const int start = (base + at * stride) / 4 + left / COLUMNS * step;
  for (int i = 0; i < step; i++) target_words[start + i] = words[i];
}

void store_plane(int plane, int base, int stride, int left, int top, int lower) {
  const int shared_rows = TO_Y_PLANE == plane ? 1 : TO_CHROMA_ROWS;
  for (int row = 0; row <= (shared_rows == 1 ? lower : 0); row++)
    store_row(plane, base, stride, left, top / shared_rows + row, row);
}

// MARK: Between them

void bake_linear(int left, int top, int lower) {
  const int second = FROM_CHROMA_ROWS == 1 ? lower : 0;
  const bool averages = TO_CHROMA_ROWS == 2;
  for (int row = 0; row <= lower; row++)
    for (int i = 0; i < COLUMNS; i++)
      made_y[row][i] = linear_luma(y[row][i], chroma[row & second][i / 2], threshold(left + i, top + row));
  for (int row = 0; row <= (averages ? 0 : lower); row++) {
    const int a = row & second, b = averages ? second : a;
    for (int i = 0; i < PAIRS; i++)
      made_chroma[row][i] =
        linear_chroma(chroma[a][i], chroma[b][i], threshold(left / 2 + i, top / TO_CHROMA_ROWS + row));
  }
}

void bake_table(int left, int top, int lower) {
  ivec2 sums[2][PAIRS];
  for (int row = 0; row <= lower; row++) {
    const int from = FROM_CHROMA_ROWS == 1 ? row : 0;
    for (int i = 0; i < PAIRS; i++) {
      const int x = left + 2 * i;
      const ivec2 thresholds = ivec2(threshold(x, top + row), threshold(x + 1, top + row));
      ivec2 luma;
      through_table(ivec2(y[row][2 * i], y[row][2 * i + 1]), chroma[from][i], thresholds, luma, sums[row][i]);
      made_y[row][2 * i] = luma.x;
      made_y[row][2 * i + 1] = luma.y;
    }
  }
  const bool averages = TO_CHROMA_ROWS == 2;
  for (int row = 0; row <= (averages ? 0 : lower); row++)
    for (int i = 0; i < PAIRS; i++)
      made_chroma[row][i] = averaged(
        sums[row][i], sums[averages ? lower : row][i], threshold(left / 2 + i, top / TO_CHROMA_ROWS + row));
}

void main() {
  const int left = COLUMNS * int(gl_GlobalInvocationID.x), top = 2 * int(gl_GlobalInvocationID.y);
  if (left >= WIDTH || top >= HEIGHT) return;
  // 1 where the pair of rows has a second one.
  const int lower = top + 1 < HEIGHT ? 1 : 0;
  load(left, top, lower);
  if (KEEPS_CODES != 0) {
    made_y = y;
    made_chroma = chroma;
  } else if (OPERATION == TABLE) {
    bake_table(left, top, lower);
  } else {
    bake_linear(left, top, lower);
  }
  store_plane(0, TO_BASE_0, TO_STRIDE_0, left, top, lower);
  if (TO_PLANES > 1) store_plane(1, TO_BASE_1, TO_STRIDE_1, left, top, lower);
  if (TO_PLANES > 2) store_plane(2, TO_BASE_2, TO_STRIDE_2, left, top, lower);
}
