// Times the pixel operations by themselves, one thread, in nanoseconds of processor time per pixel:
//
//   clang -O3 -I Sources/CKernels/include Benchmarks/kernels.c Sources/CKernels/*.c -o /tmp/kernels && /tmp/kernels
//
// 1920×1080 NV12 to yuv420p, a picture with texture and a cube of 33 points whose samples are noise; the best of 15.
// The sums at the end of the lines change only when an operation gives other bits.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "CKernels.h"

enum { WIDTH = 1920, HEIGHT = 1080, SIZE = 33, POINTS = SIZE * SIZE * SIZE + SIZE * SIZE + SIZE + 1 };

static uint8_t source_bytes[WIDTH * HEIGHT * 3 / 2], target_bytes[WIDTH * HEIGHT * 3 / 2];
static _Alignas(64) int16_t narrow_points[4 * POINTS];
static _Alignas(64) int32_t wide_points[4 * POINTS];

static uint32_t noise(void) {
  static uint32_t state = 1;
  state = state * 1664525 + 1013904223;
  return state >> 16;
}

static double processor_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static void measure(const char *name, const ck_bake *bake, const ck_picture *source, const ck_picture *target) {
  double best = 1e9;
  for (int i = 0; i < 15; i++) {
    const double start = processor_seconds();
    ck_bake_rows(bake, source, target, 0, HEIGHT);
    const double seconds = processor_seconds() - start;
    if (seconds < best) best = seconds;
  }
  uint32_t sum = 0;
  for (size_t i = 0; i < sizeof target_bytes; i++) sum = sum * 31 + target_bytes[i];
  printf("%-22s %6.2f ns   %08x\n", name, best * 1e9 / (WIDTH * HEIGHT), sum);
}

/// BT.709 limited range onto a grid of SIZE points over 0…1.
static ck_coordinates coordinates(int fraction_bits) {
  const double kr = 0.2126, kb = 0.0722, kg = 1 - kr - kb;
  const double one = (double)(1 << fraction_bits) * (1 << CK_COORDINATE_SHIFT) * (SIZE - 1);
  const double cb[3] = { 0, -2 * kb * (1 - kb) / kg, 2 * (1 - kb) };
  const double cr[3] = { 2 * (1 - kr), -2 * kr * (1 - kr) / kg, 0 };
  ck_coordinates map = { .max = (SIZE - 1) << fraction_bits };
  for (int c = 0; c < 3; c++) {
    map.y[c] = one / 219;
    map.cb[c] = one * cb[c] / 224;
    map.cr[c] = one * cr[c] / 224;
    map.add[c] = (1 << (CK_COORDINATE_SHIFT - 1)) - 16 * map.y[c] - 128 * (map.cb[c] + map.cr[c]);
  }
  return map;
}

int main(void) {
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    source_bytes[i] = 16 + i % WIDTH * 170 / WIDTH + i / WIDTH * 30 / HEIGHT + noise() % 9;
  for (int i = 0; i < WIDTH * HEIGHT / 2; i++)
    source_bytes[WIDTH * HEIGHT + i] = 110 + i / WIDTH * 40 / HEIGHT + noise() % 9;
  for (int i = 0; i < 4 * POINTS; i++) {
    narrow_points[i] = noise() % 8000 - 1000;
    wide_points[i] = narrow_points[i] * 1024;
  }
  ck_bake bake = {
    .kernels = ck_select_kernels(),
    .input = { { 0, 0, 1 }, { 1, 0, 2 }, { 1, 1, 2 }, 1, 0, 2, 255 },
    .output = { { 0, 0, 1 }, { 1, 0, 1 }, { 2, 0, 1 }, 1, 0, 2, 255 },
    .width = WIDTH,
    .height = HEIGHT,
  };
  const ck_picture source = { { { source_bytes, WIDTH }, { source_bytes + WIDTH * HEIGHT, WIDTH } } };
  const ck_picture target = { { { target_bytes, WIDTH },
                                { target_bytes + WIDTH * HEIGHT, WIDTH / 2 },
                                { target_bytes + WIDTH * HEIGHT * 5 / 4, WIDTH / 2 } } };

  bake.keeps_codes = 1;
  measure("layout only", &bake, &source, &target);
  bake.keeps_codes = 0;
  bake.operation = CK_RESCALE;
  bake.luma = bake.chroma = (ck_rescale){ 1 << 23, ((uint64_t)CK_RESCALE_BIAS << CK_RESCALE_SHIFT) + (1 << 23), 255 };
  measure("rescale", &bake, &source, &target);
  bake.operation = CK_MATRIX;
  bake.matrix = (ck_matrix){ { 1 << 18, 20000, -9000 }, 1 << 17, { 1 << 17, 3000 }, 0, { -2000, 1 << 17 }, 0, 255 };
  measure("matrix", &bake, &source, &target);

  bake.operation = CK_TABLE;
  const char *names[] = { "tetrahedral, 16 bits", "trilinear, 16 bits", "tetrahedral, 32 bits", "trilinear, 32 bits" };
  for (int kind = CK_TETRAHEDRAL_16; kind <= CK_TRILINEAR_32; kind++) {
    const int narrow = kind <= CK_TRILINEAR_16, bits = narrow ? CK_NARROW_BITS : 23, shift = bits + (narrow ? 5 : 15);
    bake.interpolation = kind;
    bake.coordinates = coordinates(bits);
    bake.table = (ck_table){ narrow ? (void *)narrow_points : (void *)wide_points, SIZE, bits };
    bake.result = (ck_output){ (int64_t)33 << (shift - 1), shift, shift - 19, 257 << 20, 21, 255 };
    measure(names[kind], &bake, &source, &target);
  }
  return 0;
}
