#ifndef CFILTERS_H
#define CFILTERS_H

#include <stddef.h>
#include <stdint.h>

// FFmpeg's filters. Their library is opened at run time when it is needed, so that a recorder loads neither it nor the
// sixty libraries that it needs.
//
// Functions that return int return 0, or a negative FFmpeg error; CFL_NO_LIBRARY if the library is missing.

enum { CFL_NO_LIBRARY = -0x7FFFFFFF };

/// The library's name; the environment variable CAMREC_FILTER_LIBRARY names another one, for tests.
const char *cfl_library(void);

/// FFmpeg's text for an error.
void cfl_describe(int error, char *text, size_t size);

typedef struct {
  const uint8_t *planes[3];
  int strides[3];
} cfl_picture;

/// PSNR and SSIM of pairs of frames. Thread: one at a time.
typedef struct cfl_similarity cfl_similarity;

/// `reference` and `other` are the names of pixel formats; `…_full`: whether its samples have the full range.
int cfl_similarity_open(
    cfl_similarity **made, int width, int height, const char *reference, int reference_full, const char *other,
    int other_full);
/// `psnr` in dB, infinite for equal samples; `ssim` from -1 to 1.
int cfl_similarity_measure(
    cfl_similarity *similarity, const cfl_picture *reference, const cfl_picture *other, double *psnr, double *ssim);
void cfl_similarity_close(cfl_similarity *similarity);

/// Loudness according to EBU R 128. Thread: one at a time.
typedef struct cfl_loudness cfl_loudness;

int cfl_loudness_open(cfl_loudness **made, int rate, int channels, int bits);
/// Adds interleaved samples of 16 or 32 bits.
int cfl_loudness_add(cfl_loudness *loudness, const void *samples, int count);
/// The integrated loudness in LUFS: -70 if nothing was louder than the gate.
int cfl_loudness_integrated(cfl_loudness *loudness, double *lufs);
void cfl_loudness_close(cfl_loudness *loudness);

#endif
