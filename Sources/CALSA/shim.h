#ifndef CALSA_SHIM_H
#define CALSA_SHIM_H

#include <alsa/asoundlib.h>

static inline void CALSA_discard(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file;
  (void)line;
  (void)function;
  (void)error;
  (void)format;
}

/* The library prints what fails to stderr; camrec reads its return codes and speaks for itself. */
static inline int CALSA_silence(void) { return snd_lib_error_set_handler(CALSA_discard); }

#endif
