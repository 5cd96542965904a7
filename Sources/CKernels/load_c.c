#include <string.h>

#include "ck_internal.h"

static inline void load_bytes(const uint8_t *row, ptrdiff_t count, ptrdiff_t step, uint16_t *codes) {
  for (ptrdiff_t i = 0; i < count; i++) codes[i] = row[i * step];
}

// Words need not be aligned: a stride may be odd. What lies above the code range counts as its greatest code.
static inline void load_words(
    const uint8_t *row, ptrdiff_t count, ptrdiff_t step, int shift, uint16_t max_code, uint16_t *codes) {
  for (ptrdiff_t i = 0; i < count; i++) {
    uint16_t word;
    memcpy(&word, row + i * step, sizeof word);
    const uint16_t code = (uint16_t)(word >> shift);
    codes[i] = code < max_code ? code : max_code;
  }
}

void ck_load_1_1_c(const uint8_t *row, ptrdiff_t count, int shift, uint16_t max_code, uint16_t *codes) {
  (void)shift, (void)max_code;
  load_bytes(row, count, 1, codes);
}

void ck_load_1_2_c(const uint8_t *row, ptrdiff_t count, int shift, uint16_t max_code, uint16_t *codes) {
  (void)shift, (void)max_code;
  load_bytes(row, count, 2, codes);
}

void ck_load_1_4_c(const uint8_t *row, ptrdiff_t count, int shift, uint16_t max_code, uint16_t *codes) {
  (void)shift, (void)max_code;
  load_bytes(row, count, 4, codes);
}

void ck_load_2_2_c(const uint8_t *row, ptrdiff_t count, int shift, uint16_t max_code, uint16_t *codes) {
  load_words(row, count, 2, shift, max_code, codes);
}

void ck_load_2_4_c(const uint8_t *row, ptrdiff_t count, int shift, uint16_t max_code, uint16_t *codes) {
  load_words(row, count, 4, shift, max_code, codes);
}
