// The store operations, for the level that CK_LEVEL names and CK_TARGET allows the compiler.

#include <string.h>

#include "ck_internal.h"

#define STORE(NAME, SAMPLE, STEP)                                                                                     \
  CK_TARGET void CK_LEVEL(NAME)(const uint16_t *restrict codes, ptrdiff_t count, int shift, uint8_t *row) {           \
    for (ptrdiff_t i = 0; i < count; i++) {                                                                           \
      const SAMPLE sample = (SAMPLE)(codes[i] << shift);                                                              \
      memcpy(row + i * STEP, &sample, sizeof sample);                                                                 \
    }                                                                                                                 \
  }

#define STORE_PAIRS(NAME, SAMPLE, PAIR)                                                                               \
  CK_TARGET void CK_LEVEL(NAME)(                                                                                      \
      const uint16_t *restrict first, const uint16_t *restrict second, ptrdiff_t count, int shift, uint8_t *row) {    \
    for (ptrdiff_t i = 0; i < count; i++) {                                                                           \
      const PAIR pair = (PAIR)((PAIR)first[i] << shift | (PAIR)second[i] << (shift + 8 * (int)sizeof(SAMPLE)));       \
      memcpy(row + i * (ptrdiff_t)sizeof pair, &pair, sizeof pair);                                                   \
    }                                                                                                                 \
  }

STORE(store_1_1, uint8_t, 1)
STORE(store_1_2, uint8_t, 2)
STORE(store_1_4, uint8_t, 4)
STORE(store_2_2, uint16_t, 2)
STORE(store_2_4, uint16_t, 4)
STORE(store_2_8, uint16_t, 8)
STORE_PAIRS(store_pairs_1, uint8_t, uint16_t)
STORE_PAIRS(store_pairs_2, uint16_t, uint32_t)
