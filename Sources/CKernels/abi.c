#include "CKernels.h"

int ck_abi_version(void) { return 1; }
