#include "ck_internal.h"

void ck_chroma_c(const ck_output *output, const int32_t *a, const int32_t *b, ptrdiff_t count, uint16_t *out) {
  const int32_t add = output->chroma_add, shift = output->chroma_shift, max_code = output->max_code;
  for (ptrdiff_t j = 0; j < count; j++) out[j] = (uint16_t)ck_clamp((a[j] + b[j] + add) >> shift, max_code);
}
