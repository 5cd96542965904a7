// The SHA extensions of x86 (Intel SDM, volume 2: SHA256RNDS2, SHA256MSG1, SHA256MSG2).
#include "CDigest.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#include "constants.h"

// The instructions want the state as two vectors, (a, b, e, f) and (c, d, g, h) from the highest lane down.
__attribute__((target("sha,sse4.1"))) static void compressBySHA(uint32_t *state, const uint8_t *bytes, size_t blocks) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
  for (; blocks > 0; blocks--, bytes += 64) {
    const __m128i abefBefore = abef, cdghBefore = cdgh;
    __m128i words[4];
    for (int i = 0; i < 4; i++)
      words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 16 * i)), swap);
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      __m128i *now = &words[i & 3];
      __m128i sum = _mm_add_epi32(*now, _mm_load_si128((const __m128i *)(roundConstants + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
      // The four words of sixteen rounds later take this place.
      __m128i next = words[(i + 1) & 3], third = words[(i + 2) & 3], last = words[(i + 3) & 3];
      __m128i part = _mm_add_epi32(_mm_sha256msg1_epu32(*now, next), _mm_alignr_epi8(last, third, 4));
      *now = _mm_sha256msg2_epu32(part, last);
    }
    abef = _mm_add_epi32(abef, abefBefore);
    cdgh = _mm_add_epi32(cdgh, cdghBefore);
  }
  __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

CDigest_Compress CDigest_fastestCompress(void) {
  unsigned a, b, c, d;
  bool sse41 = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1);
  bool sha = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
  return sse41 && sha ? compressBySHA : CDigest_compressPlain;
}

#else

CDigest_Compress CDigest_fastestCompress(void) { return CDigest_compressPlain; }

#endif
