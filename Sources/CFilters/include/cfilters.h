#ifndef CFILTERS_H
#define CFILTERS_H

#include <stddef.h>
#include <stdint.h>

// FFmpeg's filters, whose library is opened at run time where it is needed: a recorder does without it, and without the
// sixty libraries behind it.
//
// Functions that return int return 0, or a negative error of FFmpeg's; CFL_NO_LIBRARY where the library is not there.

enum { CFL_NO_LIBRARY = -0x7FFFFFFF };

/// The library's name; CAMREC_FILTER_LIBRARY names another one, for tests.
const char *cfl_library(void);

/// FFmpeg's words for an error.
void cfl_describe(int error, char *text, size_t size);

typedef struct {
  const uint8_t *planes[3];
  int strides[3];
} cfl_picture;

/// psnr and ssim of pairs of pictures. Thread: one at a time.
typedef struct cfl_similarity cfl_similarity;

int cfl_similarity_open(cfl_similarity **made, int width, int height, const char *reference, const char *other);
/// psnr in dB, infinite for equal samples; ssim from -1 to 1.
int cfl_similarity_measure(
    cfl_similarity *similarity, const cfl_picture *reference, const cfl_picture *other, double *psnr, double *ssim);
void cfl_similarity_close(cfl_similarity *similarity);

/// Loudness by EBU R 128. Thread: one at a time.
typedef struct cfl_loudness cfl_loudness;

int cfl_loudness_open(cfl_loudness **made, int rate, int channels, int bits);
/// Interleaved samples of 16 or 32 bits.
int cfl_loudness_add(cfl_loudness *loudness, const void *samples, int count);
/// Integrated, in LUFS: -70 where nothing was louder than the gate.
int cfl_loudness_integrated(cfl_loudness *loudness, double *lufs);
void cfl_loudness_close(cfl_loudness *loudness);

#endif
