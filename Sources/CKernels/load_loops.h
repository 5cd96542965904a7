// The load operations, for the level that CK_LEVEL names and CK_TARGET allows the compiler: plain loops over whole
// elements, which it turns into that level's vectors.

#include <string.h>

#include "ck_internal.h"

// Elements need not be aligned: a stride may be odd.
#define LOAD_BYTES(NAME, ELEMENT)                                                                                     \
  CK_TARGET void CK_LEVEL(NAME)(                                                                                      \
      const uint8_t *row, int offset, ptrdiff_t count, int shift, uint16_t max_code, uint16_t *restrict codes) {      \
    (void)shift, (void)max_code;                                                                                      \
    for (ptrdiff_t i = 0; i < count; i++) {                                                                           \
      ELEMENT element;                                                                                                \
      memcpy(&element, row + i * (ptrdiff_t)sizeof element, sizeof element);                                          \
      codes[i] = (uint8_t)(element >> 8 * offset);                                                                    \
    }                                                                                                                 \
  }

// What lies above the code range counts as its greatest code.
#define LOAD_WORDS(NAME, ELEMENT)                                                                                     \
  CK_TARGET void CK_LEVEL(NAME)(                                                                                      \
      const uint8_t *row, int offset, ptrdiff_t count, int shift, uint16_t max_code, uint16_t *restrict codes) {      \
    for (ptrdiff_t i = 0; i < count; i++) {                                                                           \
      ELEMENT element;                                                                                                \
      memcpy(&element, row + i * (ptrdiff_t)sizeof element, sizeof element);                                          \
      const uint16_t code = (uint16_t)((uint16_t)(element >> 8 * offset) >> shift);                                   \
      codes[i] = code < max_code ? code : max_code;                                                                   \
    }                                                                                                                 \
  }

LOAD_BYTES(load_1_1, uint8_t)
LOAD_BYTES(load_1_2, uint16_t)
LOAD_BYTES(load_1_4, uint32_t)
LOAD_WORDS(load_2_2, uint16_t)
LOAD_WORDS(load_2_4, uint32_t)
LOAD_WORDS(load_2_8, uint64_t)
