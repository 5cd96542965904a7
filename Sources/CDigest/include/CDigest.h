// SHA-256's compression function (FIPS 180-4, section 6.2.2), and MD5 (RFC 1321) of several messages at a time.
#ifndef CDIGEST_H
#define CDIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Adds `blocks` blocks of 64 bytes to the eight words of `state`.
typedef void (*CDigest_Compress)(uint32_t *state, const uint8_t *bytes, size_t blocks);

/// In plain C; the others are checked against it.
void CDigest_compressPlain(uint32_t *state, const uint8_t *bytes, size_t blocks);

/// With the processor's own SHA instructions if it has them, else in plain C.
CDigest_Compress CDigest_fastestCompress(void);

enum { CDIGEST_MD5_LANES = 8 };

/// Instruction sets, higher ones faster; all give the same result.
typedef enum { CDIGEST_MD5_PLAIN, CDIGEST_MD5_AVX2, CDIGEST_MD5_AVX512 } CDigest_MD5Level;

/// The highest level that the processor supports.
CDigest_MD5Level CDigest_md5HighestLevel(void);

/// The MD5 of CDIGEST_MD5_LANES messages of `bytes` bytes each. The processor must support the level.
void CDigest_md5Lanes(CDigest_MD5Level level, const uint8_t *const messages[CDIGEST_MD5_LANES], size_t bytes,
                      uint8_t digests[CDIGEST_MD5_LANES][16]);

#endif
