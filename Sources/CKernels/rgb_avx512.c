#if defined(__x86_64__)
#define CK_LEVEL(NAME) ck_##NAME##_avx512
#define CK_TARGET CK_TARGET_AVX512
#define CK_RGB_EIGHTS
#include "rgb_loops.h"
#endif
