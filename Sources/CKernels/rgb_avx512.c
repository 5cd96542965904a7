#if defined(__x86_64__)
// What pixels look up in tables is loaded value by value, because gathers are slow on some processors (Zen 4). What is
// computed from it takes the channels of a pixel at once, or many pixels.

#define CK_LEVEL(NAME) ck_##NAME##_avx512
#define CK_TARGET CK_TARGET_AVX512
#define CK_RGB_VECTORS
#include "rgb_loops.h"

#include <immintrin.h>

/// The pixels of the eight from `done` on that there are.
static inline CK_TARGET __mmask8 there_are(ptrdiff_t done, ptrdiff_t count) {
  const ptrdiff_t rest = count - done;
  return rest >= 8 ? 255 : rest > 0 ? (__mmask8)((1u << rest) - 1) : 0;
}

CK_TARGET void CK_LEVEL(rgb_load_2)(
    const void *restrict row, int channels, ptrdiff_t count, uint16_t *restrict codes) {
  // Each pixel's first sample, and how far it is from there to the others.
  const __m512i pixel = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i taken = channels == 3
    ? _mm512_add_epi64(_mm512_mullo_epi64(pixel, _mm512_set1_epi64(0x300030003)), _mm512_set1_epi64(0x200010000))
    : _mm512_mullo_epi64(pixel, _mm512_set1_epi64(0x100010001));
  const uint16_t *const samples = row;
  for (ptrdiff_t done = 0; done < count; done += 8) {
    const ptrdiff_t pixels = count - done < 8 ? count - done : 8;
    const __m512i some =
      _mm512_maskz_loadu_epi16((__mmask32)(((uint32_t)1 << channels * pixels) - 1), samples + channels * done);
    _mm512_mask_storeu_epi64(
      codes + CK_RGB * done, there_are(done, count), _mm512_maskz_permutexvar_epi16(0x77777777, taken, some));
  }
}

CK_TARGET void CK_LEVEL(rgb_convert)(const ck_rgb_conversion *conversion, ptrdiff_t count, uint16_t *codes) {
  if (conversion->gain) {
    CK_LEVEL(rgb_convert_loops)(conversion, count, codes);
    return;
  }
  const int bits = conversion->matrix_bits, drop = CK_LIGHT_BITS + bits - CK_ENCODED_LIGHT_BITS;
  const __m256i half = _mm256_set1_epi64x((int64_t)1 << (drop - 1)), zero = _mm256_setzero_si256();
  const __m256i one = _mm256_set1_epi64x(1 << CK_ENCODED_LIGHT_BITS);
  const __m128i shift = _mm_cvtsi32_si128(drop);
  const int32_t *const matrix = conversion->matrix;
  __m256i by[3];
  for (int channel = 0; channel < 3; channel++)
    by[channel] = _mm256_set_epi64x(0, matrix[6 + channel], matrix[3 + channel], matrix[channel]);
  const int32_t *const red = conversion->decode[0], *const green = conversion->decode[1];
  const int32_t *const blue = conversion->decode[2];
  _Alignas(32) uint64_t places[CK_PIECE][4];
  for (ptrdiff_t i = 0; i < count; i++) {
    const uint16_t *const pixel = codes + CK_RGB * i;
    const __m256i sum = _mm256_add_epi64(
      _mm256_add_epi64(half, _mm256_mul_epi32(_mm256_set1_epi32(red[pixel[0]]), by[0])),
      _mm256_add_epi64(
        _mm256_mul_epi32(_mm256_set1_epi32(green[pixel[1]]), by[1]),
        _mm256_mul_epi32(_mm256_set1_epi32(blue[pixel[2]]), by[2])));
    const __m256i place = _mm256_min_epi64(_mm256_max_epi64(_mm256_sra_epi64(sum, shift), zero), one);
    _mm256_store_si256((__m256i *)places[i], place);
  }
  const uint16_t *const encode = conversion->encode;
  for (ptrdiff_t i = 0; i < count; i++) {
    const uint64_t pixel = (uint64_t)encode[places[i][0]] | (uint64_t)encode[places[i][1]] << 16
      | (uint64_t)encode[places[i][2]] << 32;
    memcpy(codes + CK_RGB * i, &pixel, sizeof pixel);
  }
}

/// Where codes lie, as `rgb_place` says it; 32 bits each.
static inline CK_TARGET __m512i places_of(__m512i codes, __m512i cells) {
  const __m512i one = _mm512_set1_epi32(1), x = _mm512_mullo_epi32(codes, cells);
  const __m512i part = _mm512_add_epi32(_mm512_add_epi32(x, one), _mm512_srli_epi32(x, 16));
  return _mm512_srli_epi32(_mm512_add_epi32(_mm512_add_epi32(x, one), _mm512_srli_epi32(part, 16)), 1);
}

/// The codes of two points by turns. Eight bytes behind `b` are read, too.
static inline CK_TARGET __m128i by_turns(const uint16_t *a, const uint16_t *b) {
  return _mm_unpacklo_epi16(_mm_loadl_epi64((const __m128i *)a), _mm_loadu_si128((const __m128i *)b));
}

/// What `rgb_mean` makes of two pairs of points for each of two pixels, in 32 bits, and with 2^15 taken off.
static inline CK_TARGET __m256i mean_of(
    __m128i near_a, __m128i far_a, __m128i near_b, __m128i far_b, __m256i near, __m256i far) {
  const __m256i sign = _mm256_set1_epi16(INT16_MIN), half = _mm256_set1_epi32(1 << (CK_RGB_TABLE_BITS - 1));
  const __m256i first = _mm256_xor_si256(_mm256_inserti128_si256(_mm256_castsi128_si256(near_a), near_b, 1), sign);
  const __m256i second = _mm256_xor_si256(_mm256_inserti128_si256(_mm256_castsi128_si256(far_a), far_b, 1), sign);
  const __m256i sum = _mm256_add_epi32(_mm256_madd_epi16(first, near), _mm256_madd_epi16(second, far));
  return _mm256_srai_epi32(_mm256_add_epi32(sum, half), CK_RGB_TABLE_BITS);
}

CK_TARGET void CK_LEVEL(rgb_table)(const ck_rgb_table *table, ptrdiff_t count, uint16_t *codes) {
  enum { ONE = 1 << CK_RGB_TABLE_BITS, FRACTION = ONE - 1, WAY_BITS = 15, WAY = (1 << WAY_BITS) - 1 };
  const int32_t by_green = table->size, by_blue = by_green * by_green, across = 1 + by_green + by_blue;
  const __m512i cells = _mm512_set1_epi32(by_green - 1), fraction = _mm512_set1_epi32(FRACTION);
  const __m512i greens = _mm512_set1_epi32(by_green), blues = _mm512_set1_epi32(by_blue);
  const __m512i way = _mm512_set1_epi32(WAY), one = _mm512_set1_epi32(1), whole = _mm512_set1_epi32(ONE);
  const __m512i low_words = _mm512_set1_epi32(65535), beyond = _mm512_set1_epi32(across);
  // Red and green of sixteen pixels, and their blue, from two vectors of eight.
  const __m512i evens = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i odds = _mm512_or_si512(evens, one);
  _Alignas(64) uint32_t firsts[CK_PIECE], seconds[CK_PIECE], thirds[CK_PIECE], nears[CK_PIECE], fars[CK_PIECE];
  for (ptrdiff_t done = 0; done < count; done += 16) {
    const __m512i a = _mm512_maskz_loadu_epi64(there_are(done, count), codes + CK_RGB * done);
    const __m512i b = _mm512_maskz_loadu_epi64(there_are(done + 8, count), codes + CK_RGB * (done + 8));
    const __m512i red_green = _mm512_permutex2var_epi32(a, evens, b), blue_rest = _mm512_permutex2var_epi32(a, odds, b);
    const __m512i red = places_of(_mm512_and_si512(red_green, low_words), cells);
    const __m512i green = places_of(_mm512_srli_epi32(red_green, 16), cells);
    const __m512i blue = places_of(_mm512_and_si512(blue_rest, low_words), cells);
    const __m512i corner = _mm512_add_epi32(
      _mm512_srli_epi32(red, CK_RGB_TABLE_BITS),
      _mm512_add_epi32(
        _mm512_mullo_epi32(_mm512_srli_epi32(green, CK_RGB_TABLE_BITS), greens),
        _mm512_mullo_epi32(_mm512_srli_epi32(blue, CK_RGB_TABLE_BITS), blues)));
    // As in rgb_table: a fraction above, the way below.
    const __m512i r = _mm512_or_si512(_mm512_slli_epi32(_mm512_and_si512(red, fraction), WAY_BITS), one);
    const __m512i g = _mm512_or_si512(_mm512_slli_epi32(_mm512_and_si512(green, fraction), WAY_BITS), greens);
    const __m512i v = _mm512_or_si512(_mm512_slli_epi32(_mm512_and_si512(blue, fraction), WAY_BITS), blues);
    const __m512i rg_high = _mm512_max_epu32(r, g), rg_low = _mm512_min_epu32(r, g);
    const __m512i high = _mm512_max_epu32(rg_high, v), low = _mm512_min_epu32(rg_low, v);
    const __m512i middle = _mm512_max_epu32(rg_low, _mm512_min_epu32(rg_high, v));
    const __m512i f1 = _mm512_srli_epi32(high, WAY_BITS), f2 = _mm512_srli_epi32(middle, WAY_BITS);
    const __m512i f3 = _mm512_srli_epi32(low, WAY_BITS);
    const __mmask16 moves = _mm512_test_epi32_mask(f1, f1);
    const __m512i alone = _mm512_maskz_mov_epi32((__mmask16)~moves, one);
    _mm512_store_si512(firsts + done, corner);
    _mm512_store_si512(seconds + done, _mm512_mask_add_epi32(corner, moves, corner, _mm512_and_si512(high, way)));
    _mm512_store_si512(thirds + done, _mm512_sub_epi32(_mm512_add_epi32(corner, beyond), _mm512_and_si512(low, way)));
    _mm512_store_si512(
      nears + done,
      _mm512_or_si512(
        _mm512_sub_epi32(_mm512_sub_epi32(whole, f1), alone),
        _mm512_slli_epi32(_mm512_add_epi32(_mm512_sub_epi32(f1, f2), alone), 16)));
    // The fourth point's first: of the last point in memory, nothing behind it may be read.
    _mm512_store_si512(fars + done, _mm512_or_si512(f3, _mm512_slli_epi32(_mm512_sub_epi32(f2, f3), 16)));
  }
  const uint16_t *const points = table->points, *const opposite = points + CK_RGB * (ptrdiff_t)across;
  const __m256i sign = _mm256_set1_epi16(INT16_MIN);
  const __m256i evenly = _mm256_set_epi32(2, 2, 2, 2, 0, 0, 0, 0), oddly = _mm256_set_epi32(3, 3, 3, 3, 1, 1, 1, 1);
  for (ptrdiff_t done = 0; done < count; done += 4) {
    __m128i near[4], far[4];
    for (int k = 0; k < 4; k++) {
      const ptrdiff_t first = firsts[done + k], second = seconds[done + k], third = thirds[done + k];
      near[k] = by_turns(points + CK_RGB * first, points + CK_RGB * second);
      far[k] = by_turns(opposite + CK_RGB * first, points + CK_RGB * third);
    }
    const __m256i n = _mm256_castsi128_si256(_mm_load_si128((const __m128i *)(nears + done)));
    const __m256i f = _mm256_castsi128_si256(_mm_load_si128((const __m128i *)(fars + done)));
    const __m256i even = mean_of(
      near[0], far[0], near[2], far[2], _mm256_permutevar8x32_epi32(n, evenly), _mm256_permutevar8x32_epi32(f, evenly));
    const __m256i odd = mean_of(
      near[1], far[1], near[3], far[3], _mm256_permutevar8x32_epi32(n, oddly), _mm256_permutevar8x32_epi32(f, oddly));
    const __m256i found = _mm256_xor_si256(_mm256_packs_epi32(even, odd), sign);
    if (count - done >= 4)
      _mm256_storeu_si256((__m256i *)(codes + CK_RGB * done), found);
    else
      _mm256_mask_storeu_epi64(codes + CK_RGB * done, there_are(done, count), found);
  }
}

CK_TARGET void CK_LEVEL(rgb_grain)(
    const uint16_t *amplitude, int shift, const uint32_t luma[3], const int16_t *noise, ptrdiff_t count,
    uint16_t *codes) {
  const __m512i weights[3] = {
    _mm512_set1_epi64(luma[0]), _mm512_set1_epi64(luma[1]), _mm512_set1_epi64(luma[2]),
  };
  const __m512i half = _mm512_set1_epi32(1 << (shift - 1)), code = _mm512_set1_epi64(65535);
  const __m512i none = _mm512_setzero_si512();
  const __m128i drop = _mm_cvtsi32_si128(shift);
  _Alignas(64) uint32_t found[CK_PIECE];
  for (ptrdiff_t done = 0; done < count; done += 8) {
    const __m512i pixels = _mm512_maskz_loadu_epi64(there_are(done, count), codes + CK_RGB * done);
    __m512i sum = none;
    for (int channel = 0; channel < 3; channel++)
      sum = _mm512_add_epi64(
        sum, _mm512_mul_epu32(weights[channel], _mm512_and_si512(_mm512_srli_epi64(pixels, 16 * channel), code)));
    _mm256_store_si256(
      (__m256i *)(found + done), _mm512_cvtepi64_epi32(_mm512_srli_epi64(sum, CK_RGB_LUMA_BITS + 4)));
  }
  for (ptrdiff_t i = 0; i < count; i++) found[i] = amplitude[found[i]];
  // Eight numbers, each four times.
  const __m512i even = _mm512_set_epi32(6, 6, 6, 6, 4, 4, 4, 4, 2, 2, 2, 2, 0, 0, 0, 0);
  const __m512i odd = _mm512_set_epi32(7, 7, 7, 7, 5, 5, 5, 5, 3, 3, 3, 3, 1, 1, 1, 1);
  for (ptrdiff_t done = 0; done < count; done += 8) {
    const __mmask8 there = there_are(done, count);
    const __m512i pixels = _mm512_maskz_loadu_epi64(there, codes + CK_RGB * done);
    const __m512i strength = _mm512_castsi256_si512(_mm256_cvtepi16_epi32(_mm_maskz_loadu_epi16(there, noise + done)));
    const __m512i size = _mm512_castsi256_si512(_mm256_load_si256((const __m256i *)(found + done)));
    const __m512i added =
      _mm512_sra_epi32(_mm512_add_epi32(_mm512_mullo_epi32(strength, size), half), drop);
    // Four codes each, in 32 bits, and back to 16, held within them.
    const __m512i low = _mm512_add_epi32(_mm512_unpacklo_epi16(pixels, none), _mm512_permutexvar_epi32(even, added));
    const __m512i high = _mm512_add_epi32(_mm512_unpackhi_epi16(pixels, none), _mm512_permutexvar_epi32(odd, added));
    _mm512_mask_storeu_epi64(codes + CK_RGB * done, there, _mm512_packus_epi32(low, high));
  }
}

CK_TARGET void CK_LEVEL(rgb_store_1)(const uint16_t *restrict codes, ptrdiff_t count, void *restrict row) {
  const __m512i most = _mm512_set1_epi16((int16_t)65407), half = _mm512_set1_epi16(128);
  // Of four pixels, the bytes that count.
  const __m256i kept = _mm256_broadcastsi128_si256(
    _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
  const __m256i together = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7);
  uint8_t *samples = row;
  for (ptrdiff_t done = 0; done < count; done += 8, samples += 24) {
    const __m512i pixels = _mm512_maskz_loadu_epi64(there_are(done, count), codes + CK_RGB * done);
    // As in the loops: code / 257, rounded, in 16 bits.
    const __m512i x = _mm512_add_epi16(_mm512_min_epu16(pixels, most), half);
    const __m512i wide = _mm512_srli_epi16(_mm512_sub_epi16(x, _mm512_srli_epi16(x, 8)), 8);
    const __m256i bytes =
      _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(_mm512_cvtepi16_epi8(wide), kept), together);
    const ptrdiff_t rest = count - done;
    if (rest >= 8) {
      _mm_storeu_si128((__m128i *)samples, _mm256_castsi256_si128(bytes));
      _mm_storel_epi64((__m128i *)(samples + 16), _mm256_extracti128_si256(bytes, 1));
    } else {
      _mm256_mask_storeu_epi8(samples, (1u << 3 * rest) - 1, bytes);
    }
  }
}

CK_TARGET void CK_LEVEL(rgb_store_2)(const uint16_t *restrict codes, ptrdiff_t count, void *restrict row) {
  // Of eight pixels, the codes that count: 24 of 32.
  static const uint16_t kept[32] = {
    0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20, 21, 22, 24, 25, 26, 28, 29, 30,
  };
  const __m512i together = _mm512_loadu_si512(kept);
  uint16_t *samples = row;
  for (ptrdiff_t done = 0; done < count; done += 8, samples += 24) {
    const __m512i found = _mm512_permutexvar_epi16(
      together, _mm512_maskz_loadu_epi64(there_are(done, count), codes + CK_RGB * done));
    const ptrdiff_t rest = count - done;
    if (rest >= 8) {
      _mm256_storeu_si256((__m256i *)samples, _mm512_castsi512_si256(found));
      _mm_storeu_si128((__m128i *)(samples + 16), _mm512_extracti32x4_epi32(found, 2));
    } else {
      _mm512_mask_storeu_epi16(samples, (__mmask32)((1u << 3 * rest) - 1), found);
    }
  }
}
#endif
