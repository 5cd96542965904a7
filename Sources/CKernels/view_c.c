#define CK_LEVEL(NAME) ck_##NAME##_c
#define CK_TARGET
#include "view_loops.h"
