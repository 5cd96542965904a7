#ifndef CKERNELS_H
#define CKERNELS_H

/// The pixel operations. Every symbol begins with `ck_`.
int ck_abi_version(void);

#endif
