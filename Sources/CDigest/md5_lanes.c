// MD5 (RFC 1321) of eight messages of one length at a time.
//
// A step of MD5 waits for the one before, so that a processor that does one message idles most of the time. Here lane l
// of each vector belongs to message l. The vectors are the compiler's own, and the same code is compiled for each
// instruction set.
#include "CDigest.h"
#include <string.h>

enum { lane_count = CDIGEST_MD5_LANES, block_bytes = 64 };
typedef uint32_t lanes __attribute__((vector_size(4 * lane_count)));

// RFC 1321, 3.4: T[i] is 2^32 times |sin(i + 1)|.
static const uint32_t sines[64] = {
  0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
  0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
  0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
  0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
  0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
  0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
  0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
  0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};
static const int rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static inline int word_of(int round, int step) {
  switch (round) {
  case 0: return step;
  case 1: return (5 * step + 1) % 16;
  case 2: return (3 * step + 5) % 16;
  default: return 7 * step % 16;
  }
}

// By pointers: how vectors are handed over depends on the instruction set.
static inline void mix(int round, const lanes *b, const lanes *c, const lanes *d, lanes *mixed) {
  switch (round) {
  case 0: *mixed = *d ^ (*b & (*c ^ *d)); break;
  case 1: *mixed = *c ^ (*d & (*b ^ *c)); break;
  case 2: *mixed = *b ^ *c ^ *d; break;
  default: *mixed = *c ^ (*b | ~*d);
  }
}

// Turns eight rows of eight words into columns, by pairs of words, of two, and of four.
static inline __attribute__((always_inline)) void transpose(lanes rows[lane_count]) {
  lanes pairs[lane_count], fours[lane_count];
  for (int row = 0; row < lane_count; row += 2) {
    pairs[row] = __builtin_shufflevector(rows[row], rows[row + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    pairs[row + 1] = __builtin_shufflevector(rows[row], rows[row + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int row = 0; row < lane_count; row++) {
    const int first = row / 4 * 4 + row % 2;
    fours[row] = row % 4 < 2
      ? __builtin_shufflevector(pairs[first], pairs[first + 2], 0, 1, 8, 9, 4, 5, 12, 13)
      : __builtin_shufflevector(pairs[first], pairs[first + 2], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (int row = 0; row < 4; row++) {
    rows[row] = __builtin_shufflevector(fours[row], fours[row + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    rows[row + 4] = __builtin_shufflevector(fours[row], fours[row + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

// Words of a message are little-endian (RFC 1321, 2), as processors that camrec runs on have them.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are read as they lie");

static inline __attribute__((always_inline)) void add_blocks(lanes state[4], const uint8_t *const messages[lane_count],
                                                             size_t blocks) {
  lanes a = state[0], b = state[1], c = state[2], d = state[3];
  for (size_t block = 0; block < blocks; block++) {
    lanes words[2 * lane_count];
    for (int half = 0; half < 2; half++) {
      for (int lane = 0; lane < lane_count; lane++)
        memcpy(&words[lane_count * half + lane], messages[lane] + block_bytes * block + 32 * half, sizeof(lanes));
      transpose(words + lane_count * half);
    }
    const lanes before[4] = {a, b, c, d};
#pragma clang loop unroll(full)
    for (int step = 0; step < 64; step++) {
      const int round = step / 16, turn = rotations[round][step % 4];
      lanes mixed;
      mix(round, &b, &c, &d, &mixed);
      const lanes sum = (a + words[word_of(round, step % 16)] + sines[step]) + mixed;
      a = d;
      d = c;
      c = b;
      b += sum << turn | sum >> (32 - turn);
    }
    a += before[0];
    b += before[1];
    c += before[2];
    d += before[3];
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = d;
}

static void add_plain(lanes *state, const uint8_t *const *messages, size_t blocks) {
  add_blocks(state, messages, blocks);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void add_avx2(lanes *state, const uint8_t *const *messages, size_t blocks) {
  add_blocks(state, messages, blocks);
}

// Rotates and mixes in an instruction each.
__attribute__((target("avx512vl"))) static void add_avx512(lanes *state, const uint8_t *const *messages,
                                                             size_t blocks) {
  add_blocks(state, messages, blocks);
}
#endif

typedef void Add(lanes *state, const uint8_t *const *messages, size_t blocks);

static Add *add_of(CDigest_MD5Level level) {
#if defined(__x86_64__)
  if (level == CDIGEST_MD5_AVX512) return add_avx512;
  if (level == CDIGEST_MD5_AVX2) return add_avx2;
#endif
  (void)level;
  return add_plain;
}

CDigest_MD5Level CDigest_md5HighestLevel(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vl")) return CDIGEST_MD5_AVX512;
  if (__builtin_cpu_supports("avx2")) return CDIGEST_MD5_AVX2;
#endif
  return CDIGEST_MD5_PLAIN;
}

void CDigest_md5Lanes(CDigest_MD5Level level, const uint8_t *const messages[CDIGEST_MD5_LANES], size_t bytes,
                      uint8_t digests[CDIGEST_MD5_LANES][16]) {
  Add *const add = add_of(level);
  const lanes zero = {0};
  lanes state[4] = {zero + 0x67452301, zero + 0xefcdab89, zero + 0x98badcfe, zero + 0x10325476};
  const size_t whole = bytes / block_bytes, rest = bytes % block_bytes;
  add(state, messages, whole);
  // RFC 1321, 3.1 and 3.2: a bit, zeros, and the length in bits.
  uint8_t ends[lane_count][2 * block_bytes] = {{0}};
  const uint8_t *tails[lane_count];
  const size_t tail = rest + 9 > block_bytes ? 2 : 1;
  for (int lane = 0; lane < lane_count; lane++) {
    memcpy(ends[lane], messages[lane] + block_bytes * whole, rest);
    ends[lane][rest] = 0x80;
    for (int byte = 0; byte < 8; byte++)
      ends[lane][block_bytes * tail - 8 + byte] = (uint8_t)((uint64_t)bytes * 8 >> (8 * byte));
    tails[lane] = ends[lane];
  }
  add(state, tails, tail);
  for (int lane = 0; lane < lane_count; lane++)
    for (int word = 0; word < 4; word++)
      for (int byte = 0; byte < 4; byte++) digests[lane][4 * word + byte] = (uint8_t)(state[word][lane] >> (8 * byte));
}
