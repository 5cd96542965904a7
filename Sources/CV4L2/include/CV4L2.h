#ifndef CV4L2_H
#define CV4L2_H

#include <linux/videodev2.h>

#endif
