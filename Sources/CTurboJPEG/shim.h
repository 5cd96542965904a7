#ifndef CTURBOJPEG_SHIM_H
#define CTURBOJPEG_SHIM_H

// Functions of the second API only: Debian 12 has libjpeg-turbo 2.1.5, without those that begin with tj3.
#include <turbojpeg.h>

#endif
