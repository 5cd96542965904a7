// Times the pixel operations by themselves, one thread, in nanoseconds of processor time per pixel:
//
//   clang -O3 -I Sources/CKernels/include Benchmarks/kernels.c Sources/CKernels/*.c -lm -pthread -o /tmp/kernels
//   /tmp/kernels [PICTURE.nv12]
//   /tmp/kernels --workers      two threads beside one, wall time: strips of one frame, and a whole frame each
//
// 1920×1080 from a file of NV12, or a picture with texture; then the same with noise on top; with LUTs/log2709.cube of
// 33 points and stretched to 65. Every level of this processor in turn, `RUNS` times; best and median. The sums at the
// end of the lines change only when an operation gives other bits: they are the same at all levels.

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "CKernels.h"

enum { WIDTH = 1920, HEIGHT = 1080, PIXELS = WIDTH * HEIGHT, RUNS = 31 };

// MARK: A cube

typedef struct cube {
  int size;
  float *samples;
} cube;

static cube read_cube(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) {
    fprintf(stderr, "%s cannot be read; start this at the top of the project\n", path);
    exit(1);
  }
  cube cube = { 0 };
  char line[512];
  int at = 0;
  float r, g, b;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "LUT_3D_SIZE %d", &cube.size) == 1)
      cube.samples = malloc(sizeof(float) * 3 * cube.size * cube.size * cube.size);
    else if (cube.samples && sscanf(line, "%f %f %f", &r, &g, &b) == 3) {
      cube.samples[at++] = r, cube.samples[at++] = g, cube.samples[at++] = b;
    }
  }
  fclose(file);
  return cube;
}

static float sample_of(const cube *cube, const double at[3], int channel) {
  double sum = 0;
  for (int corner = 0; corner < 8; corner++) {
    double weight = 1;
    int index = 0, step = 1;
    for (int axis = 0; axis < 3; axis++, step *= cube->size) {
      int low = (int)at[axis];
      if (low > cube->size - 2) low = cube->size - 2;
      const double fraction = at[axis] - low;
      const int far = corner >> axis & 1;
      weight *= far ? fraction : 1 - fraction;
      index += (low + far) * step;
    }
    sum += weight * cube->samples[3 * index + channel];
  }
  return (float)sum;
}

static cube stretched(const cube *from, int size) {
  cube to = { size, malloc(sizeof(float) * 3 * size * size * size) };
  for (int i = 0; i < size * size * size; i++) {
    const double scale = (double)(from->size - 1) / (size - 1);
    const double at[3] = { i % size * scale, i / size % size * scale, i / size / size * scale };
    for (int c = 0; c < 3; c++) to.samples[3 * i + c] = sample_of(from, at, c);
  }
  return to;
}

// MARK: Tables in integers, BT.709 limited range on both sides

static const double kr = 0.2126, kb = 0.0722, kg = 1 - 0.2126 - 0.0722;

/// Aligned to 2 MiB, in large pages, as the bake has its tables.
static void *table_memory(size_t bytes) {
  void *memory = 0;
  if (posix_memalign(&memory, 2 << 20, bytes)) abort();
  madvise(memory, bytes, MADV_HUGEPAGE);
  memset(memory, 0, bytes);
  return memory;
}

static size_t point_count(int size) { return (size_t)size * size * size + size * size + size + 1; }

static void fill(const cube *cube, int depth, int bits, void *points, int is_wide) {
  const double one = (double)(1 << bits) * (1 << (depth - 8));
  for (int i = 0; i < cube->size * cube->size * cube->size; i++) {
    const float *s = cube->samples + 3 * i;
    const double y = kr * s[0] + kg * s[1] + kb * s[2];
    const double value[3] = { 219 * y, 224 * (s[2] - y) / (2 * (1 - kb)), 224 * (s[0] - y) / (2 * (1 - kr)) };
    for (int c = 0; c < 3; c++) {
      if (is_wide)
        ((int32_t *)points)[4 * i + c] = (int32_t)lround(value[c] * one);
      else
        ((int16_t *)points)[4 * i + c] = (int16_t)lround(value[c] * one);
    }
  }
}

static ck_coordinates coordinates(int size, int depth, int fraction_bits) {
  const double unit = 1 << (depth - 8);
  const double one = (double)(1 << fraction_bits) * (1 << CK_COORDINATE_SHIFT) * (size - 1) / unit;
  const double cb[3] = { 0, -2 * kb * (1 - kb) / kg, 2 * (1 - kb) };
  const double cr[3] = { 2 * (1 - kr), -2 * kr * (1 - kr) / kg, 0 };
  ck_coordinates map = { .max = (size - 1) << fraction_bits };
  for (int c = 0; c < 3; c++) {
    map.y[c] = llround(one / 219);
    map.cb[c] = llround(one * cb[c] / 224);
    map.cr[c] = llround(one * cr[c] / 224);
    map.add[c] = (1 << (CK_COORDINATE_SHIFT - 1)) - (int64_t)(16 * unit) * map.y[c]
      - (int64_t)(128 * unit) * (map.cb[c] + map.cr[c]);
  }
  return map;
}

// MARK: Pictures

static const ck_layout nv12 = { { 0, 0, 1 }, { 1, 0, 2 }, { 1, 1, 2 }, 1, 0, 2, 2, 255 };
static const ck_layout yuv420p = { { 0, 0, 1 }, { 1, 0, 1 }, { 2, 0, 1 }, 1, 0, 2, 2, 255 };
static const ck_layout yuv422p = { { 0, 0, 1 }, { 1, 0, 1 }, { 2, 0, 1 }, 1, 0, 2, 1, 255 };
static const ck_layout yuyv = { { 0, 0, 2 }, { 0, 1, 4 }, { 0, 3, 4 }, 1, 0, 2, 1, 255 };
static const ck_layout p010 = { { 0, 0, 2 }, { 1, 0, 4 }, { 1, 2, 4 }, 2, 6, 2, 2, 1023 };
static const ck_layout yuv420p10 = { { 0, 0, 2 }, { 1, 0, 2 }, { 2, 0, 2 }, 2, 0, 2, 2, 1023 };

static uint8_t pictures[2][PIXELS * 3 / 2];  // NV12
static uint8_t source_bytes[PIXELS * 4], target_bytes[PIXELS * 4];

static uint32_t noise(void) {
  static uint32_t state = 1;
  state = state * 1664525 + 1013904223;
  return state >> 16;
}

static void make_pictures(const char *path) {
  uint8_t *plain = pictures[0];
  FILE *file = path ? fopen(path, "rb") : 0;
  if (path && (!file || fread(plain, 1, sizeof pictures[0], file) != sizeof pictures[0])) {
    fprintf(stderr, "%s is not 1920×1080 of NV12\n", path);
    exit(1);
  }
  for (int i = 0; i < PIXELS && !path; i++)
    plain[i] = (uint8_t)(16 + i % WIDTH * 170 / WIDTH + i / WIDTH * 30 / HEIGHT + noise() % 9);
  for (int i = 0; i < PIXELS / 2 && !path; i++)
    plain[PIXELS + i] = (uint8_t)(110 + i / WIDTH * 40 / HEIGHT + noise() % 9);
  for (int i = 0; i < PIXELS * 3 / 2; i++) {
    const int value = plain[i] + (int)(noise() % 25 + noise() % 25) - 24;
    pictures[1][i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
  }
}

static ck_picture picture(const ck_layout *layout, uint8_t *bytes) {
  const ptrdiff_t width = WIDTH * layout->sample_bytes;
  const ptrdiff_t chroma_rows = HEIGHT / layout->chroma_rows;
  if (layout->cb.plane == 0) return (ck_picture){ { { bytes, 2 * WIDTH } } };
  uint8_t *chroma = bytes + width * HEIGHT;
  if (layout->cr.plane == 1) return (ck_picture){ { { bytes, width }, { chroma, width } } };
  return (ck_picture){ { { bytes, width }, { chroma, width / 2 }, { chroma + width / 2 * chroma_rows, width / 2 } } };
}

/// Puts the NV12 picture into a layout, as a camera would deliver it.
static ck_picture source_of(const ck_layout *layout, const uint8_t *from) {
  const ck_picture made = picture(layout, source_bytes);
  const ck_component *const components[3] = { &layout->y, &layout->cb, &layout->cr };
  for (int c = 0; c < 3; c++)
    for (int row = 0; row < (c ? HEIGHT / layout->chroma_rows : HEIGHT); row++)
      for (int i = 0; i < (c ? WIDTH / 2 : WIDTH); i++) {
        const uint8_t *const chroma = from + PIXELS + row * layout->chroma_rows / 2 * WIDTH;
        const uint8_t code = c ? chroma[2 * i + c - 1] : from[row * WIDTH + i];
        const ck_plane *plane = &made.planes[components[c]->plane];
        uint8_t *at = plane->data + row * plane->stride + components[c]->offset + i * components[c]->step;
        const uint16_t word = (uint16_t)((code << 2 | code >> 6) << layout->shift);
        if (layout->sample_bytes == 1) *at = code;
        else memcpy(at, &word, 2);
      }
  return made;
}

// MARK: Measuring

static double processor_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static int by_size(const void *a, const void *b) { return *(double *)a < *(double *)b ? -1 : 1; }

static const char *const level_names[CK_LEVEL_COUNT] = { "scalar", "neon", "avx2", "avx512" };

static void measure(const char *name, ck_bake *bake, const ck_picture *source) {
  const ck_picture target = picture(&bake->output, target_bytes);
  for (int level = 0; level < CK_LEVEL_COUNT; level++) {
    bake->kernels = ck_kernels_at(level);
    if (!bake->kernels) continue;
    const int runs = level == CK_SCALAR ? 5 : RUNS;
    double seconds[RUNS];
    memset(target_bytes, 0, sizeof target_bytes);
    for (int i = 0; i < runs; i++) {
      const double start = processor_seconds();
      ck_bake_rows(bake, source, &target, 0, HEIGHT);
      seconds[i] = processor_seconds() - start;
    }
    qsort(seconds, runs, sizeof *seconds, by_size);
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof target_bytes; i++) sum = sum * 31 + target_bytes[i];
    printf(
        "%-34s %-7s best %6.3f   median %6.3f ns   %5.0f Mpx/s   %08x\n", name, level_names[level],
        seconds[0] * 1e9 / PIXELS, seconds[runs / 2] * 1e9 / PIXELS, PIXELS / seconds[runs / 2] / 1e6, sum);
  }
}

// MARK: Workers

enum { FRAMES = 400, STRIP = HEIGHT / 12 & ~1 };

typedef struct crew {
  const ck_bake *bake;
  const ck_picture *source;
  int has_whole_frames;
  pthread_barrier_t barrier;
  atomic_int members, frame, row;
  double latency;  ///< seconds from a frame's begin to its end, summed
} crew;

static double wall_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static void *work(void *argument) {
  static uint8_t bytes[2][PIXELS * 4];
  crew *const crew = argument;
  const int self = atomic_fetch_add(&crew->members, 1);
  const ck_picture own = picture(&crew->bake->output, bytes[self]), shared = picture(&crew->bake->output, bytes[0]);
  while (crew->has_whole_frames && atomic_fetch_add(&crew->frame, 1) < FRAMES) {
    const double start = wall_seconds();
    ck_bake_rows(crew->bake, crew->source, &own, 0, HEIGHT);
    if (self == 0) crew->latency = wall_seconds() - start;
  }
  for (int frame = 0; !crew->has_whole_frames && frame < FRAMES; frame++) {
    pthread_barrier_wait(&crew->barrier);
    const double start = wall_seconds();
    for (int row; (row = atomic_fetch_add(&crew->row, STRIP)) < HEIGHT;)
      ck_bake_rows(crew->bake, crew->source, &shared, row, row + STRIP < HEIGHT ? row + STRIP : HEIGHT);
    if (pthread_barrier_wait(&crew->barrier) != PTHREAD_BARRIER_SERIAL_THREAD) continue;
    crew->latency = wall_seconds() - start;
    crew->row = 0;
  }
  return 0;
}

static void measure_workers(ck_bake *bake, const ck_picture *source) {
  for (int level = 0; level < CK_LEVEL_COUNT; level++)
    if (ck_kernels_at(level)) bake->kernels = ck_kernels_at(level);
  for (int whole = 0; whole < 2; whole++)
    for (int threads = 1; threads <= 2; threads++) {
      double best = 1, latency = 0;
      for (int run = 0; run < 7; run++) {
        crew crew = { .bake = bake, .source = source, .has_whole_frames = whole };
        pthread_barrier_init(&crew.barrier, 0, threads);
        pthread_t members[2];
        const double start = wall_seconds();
        for (int i = 0; i < threads; i++) pthread_create(&members[i], 0, work, &crew);
        for (int i = 0; i < threads; i++) pthread_join(members[i], 0);
        const double seconds = (wall_seconds() - start) / FRAMES;
        pthread_barrier_destroy(&crew.barrier);
        if (seconds < best) best = seconds, latency = crew.latency;
      }
      printf(
          "%d worker%s, %-20s %6.3f ns per pixel, a frame is ready after %.2f ms\n", threads, threads == 1 ? " " : "s",
          whole ? "a whole frame each" : "strips of one frame", best * 1e9 / PIXELS, latency * 1e3);
    }
}

static ck_bake bake_of(const ck_layout *input, const ck_layout *output) {
  ck_bake bake = { .input = *input, .output = *output, .width = WIDTH, .height = HEIGHT };
  memset(&bake.rounding, 1 << (CK_ROUNDING_BITS - 1), sizeof bake.rounding);
  return bake;
}

static int depth_of(const ck_layout *layout) { return layout->max_code == 255 ? 8 : 10; }

/// Puts a straight curve of 1024 points before the lattice.
static void shape(ck_bake *bake) {
  enum { POINTS = 1024, INPUT_BITS = 19, POINT_BITS = 20 };
  static int32_t points[POINTS + 1];
  for (int i = 0; i <= POINTS; i++) {
    const int at = i < POINTS ? i : POINTS - 1;
    points[i] = (int32_t)((int64_t)at * (bake->table.size - 1) * (1 << POINT_BITS) / (POINTS - 1));
  }
  bake->has_shaper = 1;
  const int32_t drop = POINT_BITS - CK_NARROW_BITS;
  bake->shaper = (ck_shaper){ { points, points, points }, INPUT_BITS, drop, bake->coordinates.max };
  bake->coordinates = coordinates(POINTS, depth_of(&bake->input), INPUT_BITS);
}

/// - name: null measures workers.
static void measure_table(
    const char *name, const cube *cube, ck_interpolation kind, const ck_layout *input, const ck_layout *output,
    const ck_picture *source) {
  const int is_wide = kind != CK_TETRAHEDRAL_16 && kind != CK_TRILINEAR_16;
  const int depth = depth_of(output), point_bits = is_wide ? 16 : 13 - depth, bits = is_wide ? 24 : CK_NARROW_BITS;
  void *points = table_memory(point_count(cube->size) * (is_wide ? 16 : 8));
  fill(cube, depth, point_bits, points, is_wide);
  int16_t *cells = 0;
  if (!is_wide) {
    cells = table_memory(64 * ck_cell_count(cube->size));
    ck_fill_cells(points, cube->size, cells);
  }
  const int shift = bits + point_bits, drop = is_wide ? shift - 16 : 0, sum_shift = shift - drop + 2;
  ck_bake bake = bake_of(input, output);
  bake.operation = CK_TABLE;
  bake.interpolation = kind;
  bake.coordinates = coordinates(cube->size, depth_of(input), bits);
  bake.table = (ck_table){ points, cells, cube->size, bits };
  bake.result = (ck_output){
    .y_add = ((int64_t)16 << (depth - 8) << shift), .y_shift = shift, .chroma_drop = drop,
    .chroma_add = (128 << (depth - 8) << sum_shift), .chroma_shift = sum_shift,
    .max_code = output->max_code };
  if (!name) return measure_workers(&bake, source);
  measure(name, &bake, source);
  if (kind == CK_TETRAHEDRAL_16 && input == &nv12 && output == &yuv420p && cube->size == 33) {
    shape(&bake);
    measure("shaper and 33, nv12 yuv420p", &bake, source);
  }
  free(points);
  free(cells);
}

int main(int count, char **arguments) {
  const int only_workers = count > 1 && !strcmp(arguments[1], "--workers");
  make_pictures(count > 1 && !only_workers ? arguments[1] : 0);
  const cube small = read_cube("LUTs/log2709.cube"), great = stretched(&small, 65);
  if (only_workers) {
    const ck_picture source = source_of(&nv12, pictures[0]);
    measure_table(0, &small, CK_TETRAHEDRAL_16, &nv12, &yuv420p, &source);
    return 0;
  }
  for (int noisy = 0; noisy < 2; noisy++) {
    const uint8_t *from = pictures[noisy];
    printf("\n%s\n", noisy ? "the same with noise" : "the picture");
    ck_picture source = source_of(&nv12, from);
    measure_table("tetrahedral 33, nv12 yuv420p", &small, CK_TETRAHEDRAL_16, &nv12, &yuv420p, &source);
    measure_table("tetrahedral 33, nv12 nv12", &small, CK_TETRAHEDRAL_16, &nv12, &nv12, &source);
    measure_table("tetrahedral 65, nv12 yuv420p", &great, CK_TETRAHEDRAL_16, &nv12, &yuv420p, &source);
    measure_table("trilinear 33, nv12 yuv420p", &small, CK_TRILINEAR_16, &nv12, &yuv420p, &source);
    measure_table("tetrahedral wide 33, nv12 yuv420p", &small, CK_TETRAHEDRAL_32, &nv12, &yuv420p, &source);
    if (!noisy) {
      ck_bake bake = bake_of(&nv12, &yuv420p);
      bake.keeps_codes = 1;
      measure("layout only, nv12 yuv420p", &bake, &source);
      bake.keeps_codes = 0;
      bake.operation = CK_RESCALE;
      bake.luma = bake.chroma = (ck_rescale){ 1 << 23, (uint64_t)CK_RESCALE_BIAS << CK_RESCALE_SHIFT, 255 };
      measure("rescale, nv12 yuv420p", &bake, &source);
      bake.operation = CK_MATRIX;
      bake.matrix = (ck_matrix){ { 1 << 18, 20000, -9000 }, 1 << 17, { 1 << 17, 3000 }, 0, { -2000, 1 << 17 }, 0, 255 };
      measure("matrix, nv12 yuv420p", &bake, &source);
    }
    source = source_of(&yuv420p, from);
    measure_table("tetrahedral 33, yuv420p yuv420p", &small, CK_TETRAHEDRAL_16, &yuv420p, &yuv420p, &source);
    source = source_of(&yuv422p, from);
    measure_table("tetrahedral 33, yuv422p yuv422p", &small, CK_TETRAHEDRAL_16, &yuv422p, &yuv422p, &source);
    source = source_of(&yuyv, from);
    measure_table("tetrahedral 33, yuyv yuv422p", &small, CK_TETRAHEDRAL_16, &yuyv, &yuv422p, &source);
    source = source_of(&p010, from);
    measure_table("tetrahedral 33, p010 yuv420p10", &small, CK_TETRAHEDRAL_16, &p010, &yuv420p10, &source);
  }
  return 0;
}
