#include <string.h>

#include "ck_internal.h"

static inline void store_bytes(const uint16_t *codes, ptrdiff_t count, ptrdiff_t step, uint8_t *row) {
  for (ptrdiff_t i = 0; i < count; i++) row[i * step] = (uint8_t)codes[i];
}

static inline void store_words(const uint16_t *codes, ptrdiff_t count, ptrdiff_t step, int shift, uint8_t *row) {
  for (ptrdiff_t i = 0; i < count; i++) {
    const uint16_t word = (uint16_t)(codes[i] << shift);
    memcpy(row + i * step, &word, sizeof word);
  }
}

void ck_store_1_1_c(const uint16_t *codes, ptrdiff_t count, int shift, uint8_t *row) {
  (void)shift;
  store_bytes(codes, count, 1, row);
}

void ck_store_1_2_c(const uint16_t *codes, ptrdiff_t count, int shift, uint8_t *row) {
  (void)shift;
  store_bytes(codes, count, 2, row);
}

void ck_store_1_4_c(const uint16_t *codes, ptrdiff_t count, int shift, uint8_t *row) {
  (void)shift;
  store_bytes(codes, count, 4, row);
}

void ck_store_2_2_c(const uint16_t *codes, ptrdiff_t count, int shift, uint8_t *row) {
  store_words(codes, count, 2, shift, row);
}

void ck_store_2_4_c(const uint16_t *codes, ptrdiff_t count, int shift, uint8_t *row) {
  store_words(codes, count, 4, shift, row);
}
