#include "CDigest.h"
#include "constants.h"

static inline uint32_t rotate(uint32_t word, int count) { return word >> count | word << (32 - count); }

static inline uint32_t bigEndian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Of the message schedule only the last sixteen words are kept.
static void compressBlock(uint32_t *state, const uint8_t *bytes) {
  uint32_t words[16], s[8];
  for (int i = 0; i < 16; i++) words[i] = bigEndian(bytes + 4 * i);
  for (int i = 0; i < 8; i++) s[i] = state[i];
  for (int i = 0; i < 64; i++) {
    uint32_t *word = &words[i & 15];
    if (i >= 16) {
      uint32_t w15 = words[(i + 1) & 15], w2 = words[(i + 14) & 15];
      uint32_t sigma0 = rotate(w15, 7) ^ rotate(w15, 18) ^ w15 >> 3;
      uint32_t sigma1 = rotate(w2, 17) ^ rotate(w2, 19) ^ w2 >> 10;
      *word += sigma0 + words[(i + 9) & 15] + sigma1;
    }
    uint32_t sum1 = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
    uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    uint32_t first = s[7] + sum1 + choice + roundConstants[i] + *word;
    uint32_t sum0 = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
    uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    for (int j = 7; j > 0; j--) s[j] = s[j - 1];
    s[4] += first;
    s[0] = first + sum0 + majority;
  }
  for (int i = 0; i < 8; i++) state[i] += s[i];
}

void CDigest_compressPlain(uint32_t *state, const uint8_t *bytes, size_t blocks) {
  for (; blocks > 0; blocks--, bytes += 64) compressBlock(state, bytes);
}
