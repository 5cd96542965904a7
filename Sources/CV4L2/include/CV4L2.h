#ifndef CV4L2_H
#define CV4L2_H

/*
 * Swift sees neither function-like macros such as VIDIOC_QUERYCAP nor open() and ioctl() with their variable arguments.
 * Here is one function for each call that camrec makes. It returns the kernel's result and leaves errno as the kernel
 * set it. The flat structs hide which of the two APIs (single- or multi-planar) a device uses.
 */

#include <linux/videodev2.h>
#include <stddef.h>
#include <stdint.h>

/* The most planes of a picture. */
#define CV4L2_PLANES 3

/* A picture format in either API. */
struct cv4l2_picture {
  uint32_t width, height, pixelformat, field;
  uint32_t colorspace, ycbcr_enc, quantization, xfer_func;
  /* Memory planes: 1 in the single-planar API. */
  uint32_t planes;
  uint32_t bytesperline[CV4L2_PLANES], sizeimage[CV4L2_PLANES];
};

/* A buffer as it was dequeued. */
struct cv4l2_buffer {
  uint32_t index, flags, field, sequence, planes;
  uint32_t bytesused[CV4L2_PLANES], data_offset[CV4L2_PLANES];
  /* On the clock that `flags` name. */
  int64_t nanoseconds;
};

/* Where the planes of a buffer can be mapped; `flags` name the clock for the driver's stamps. */
struct cv4l2_mapping {
  uint32_t flags, planes;
  uint32_t length[CV4L2_PLANES], offset[CV4L2_PLANES];
};

/* A control's value, read or to be written. */
struct cv4l2_value {
  uint32_t id;
  int64_t value;
};

/* Capability flags of this node, not of the whole device. */
uint32_t cv4l2_node_capabilities(const struct v4l2_capability *capability);

int cv4l2_open(const char *path);
int cv4l2_close(int fd);
int cv4l2_poll(int fd, int milliseconds, int *events);
#define CV4L2_READY_FRAME 1
#define CV4L2_READY_EVENT 2
#define CV4L2_READY_ERROR 4

int cv4l2_querycap(int fd, struct v4l2_capability *capability);
int cv4l2_g_input(int fd, int *index);
int cv4l2_enuminput(int fd, struct v4l2_input *input);
int cv4l2_enum_fmt(int fd, struct v4l2_fmtdesc *description);
int cv4l2_enum_framesizes(int fd, struct v4l2_frmsizeenum *size);
int cv4l2_enum_frameintervals(int fd, struct v4l2_frmivalenum *interval);

/* `type` is one of V4L2_BUF_TYPE_VIDEO_CAPTURE and V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE. */
int cv4l2_g_fmt(int fd, uint32_t type, struct cv4l2_picture *picture);
int cv4l2_s_fmt(int fd, uint32_t type, struct cv4l2_picture *picture);
int cv4l2_try_fmt(int fd, uint32_t type, struct cv4l2_picture *picture);

/* `capability` receives V4L2_CAP_TIMEPERFRAME if the driver supports a rate. */
int cv4l2_g_parm(int fd, uint32_t type, struct v4l2_fract *interval, uint32_t *capability);
int cv4l2_s_parm(int fd, uint32_t type, struct v4l2_fract *interval, uint32_t *capability);

/* `count` is read back. */
int cv4l2_reqbufs(int fd, uint32_t type, uint32_t *count);
int cv4l2_querybuf(int fd, uint32_t type, uint32_t index, struct cv4l2_mapping *mapping);
int cv4l2_qbuf(int fd, uint32_t type, uint32_t index);
int cv4l2_dqbuf(int fd, uint32_t type, struct cv4l2_buffer *buffer);
int cv4l2_streamon(int fd, uint32_t type);
int cv4l2_streamoff(int fd, uint32_t type);
/* NULL with errno if it fails. */
void *cv4l2_map(int fd, uint32_t length, uint32_t offset);
int cv4l2_unmap(void *address, size_t length);

int cv4l2_subscribe_event(int fd, uint32_t event, uint32_t id);
/* `id` receives the control or input concerned; `changes` receives V4L2_EVENT_SRC_CH_* of a source change, else 0. */
int cv4l2_dqevent(int fd, uint32_t *event, uint32_t *id, uint32_t *changes);

int cv4l2_query_ext_ctrl(int fd, struct v4l2_query_ext_ctrl *control);
int cv4l2_querymenu(int fd, struct v4l2_querymenu *item);
/* `wide` for V4L2_CTRL_TYPE_INTEGER64. */
int cv4l2_g_ctrl(int fd, struct cv4l2_value *value, int wide);
int cv4l2_s_ctrl(int fd, const struct cv4l2_value *value, int wide);

/* `target` is one of V4L2_SEL_TGT_CROP*. */
int cv4l2_g_selection(int fd, uint32_t target, struct v4l2_rect *area);
/* `area` is read back. */
int cv4l2_s_crop(int fd, struct v4l2_rect *area);

/*
 * libv4l's converter from a vendor's format to planar 4:2:0. NULL or -1 if it fails.
 */
struct cv4l2_converter;
struct cv4l2_converter *cv4l2_converter_create(int fd, const struct cv4l2_picture *source);
void cv4l2_converter_destroy(struct cv4l2_converter *converter);
/* Returns the number of bytes written; an image has width * height * 3 / 2. Overwrites `source` while it works. */
int cv4l2_converter_convert(
    struct cv4l2_converter *converter, void *source, int source_bytes, void *destination, int destination_bytes);
/* The text is in the converter's memory, valid until the next call. */
const char *cv4l2_converter_error(struct cv4l2_converter *converter);

#endif
