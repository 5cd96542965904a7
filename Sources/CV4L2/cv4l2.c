#define _GNU_SOURCE
#include "CV4L2.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* The kernel's ABI on 64-bit machines: a header that disagrees must not build. */
_Static_assert(sizeof(void *) == 8, "camrec is built for 64-bit Linux");
_Static_assert(sizeof(struct v4l2_capability) == 104, "VIDIOC_QUERYCAP");
_Static_assert(sizeof(struct v4l2_input) == 80, "VIDIOC_ENUMINPUT");
_Static_assert(sizeof(struct v4l2_fmtdesc) == 64, "VIDIOC_ENUM_FMT");
_Static_assert(sizeof(struct v4l2_frmsizeenum) == 44, "VIDIOC_ENUM_FRAMESIZES");
_Static_assert(sizeof(struct v4l2_frmivalenum) == 52, "VIDIOC_ENUM_FRAMEINTERVALS");
_Static_assert(sizeof(struct v4l2_format) == 208, "VIDIOC_S_FMT");
_Static_assert(sizeof(struct v4l2_streamparm) == 204, "VIDIOC_S_PARM");
_Static_assert(sizeof(struct v4l2_requestbuffers) == 20, "VIDIOC_REQBUFS");
_Static_assert(sizeof(struct v4l2_buffer) == 88, "VIDIOC_DQBUF");
_Static_assert(sizeof(struct v4l2_plane) == 64, "VIDIOC_DQBUF, planes");
_Static_assert(sizeof(struct v4l2_event_subscription) == 32, "VIDIOC_SUBSCRIBE_EVENT");
_Static_assert(sizeof(struct v4l2_event) == 136, "VIDIOC_DQEVENT");
_Static_assert(sizeof(struct v4l2_query_ext_ctrl) == 232, "VIDIOC_QUERY_EXT_CTRL");
_Static_assert(sizeof(struct v4l2_querymenu) == 44, "VIDIOC_QUERYMENU");
_Static_assert(sizeof(struct v4l2_control) == 8, "VIDIOC_G_CTRL");
_Static_assert(sizeof(struct v4l2_ext_control) == 20, "VIDIOC_G_EXT_CTRLS, one control");
_Static_assert(sizeof(struct v4l2_ext_controls) == 32, "VIDIOC_G_EXT_CTRLS");
_Static_assert(sizeof(struct v4l2_selection) == 64, "VIDIOC_S_SELECTION");

static int is_multiplanar(uint32_t type) { return type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE; }

static uint32_t at_most_planes(uint32_t planes) { return planes < CV4L2_PLANES ? planes : CV4L2_PLANES; }

/* MARK: The node */

int cv4l2_open(const char *path) { return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC); }

int cv4l2_close(int fd) { return close(fd); }

int cv4l2_poll(int fd, int milliseconds, int *events) {
  struct pollfd entry = {.fd = fd, .events = POLLIN | POLLPRI};
  int result = poll(&entry, 1, milliseconds);
  *events = 0;
  if (result > 0) {
    if (entry.revents & POLLIN) *events |= CV4L2_READY_FRAME;
    if (entry.revents & POLLPRI) *events |= CV4L2_READY_EVENT;
    if (entry.revents & (POLLERR | POLLHUP | POLLNVAL)) *events |= CV4L2_READY_ERROR;
  }
  return result;
}

uint32_t cv4l2_node_capabilities(const struct v4l2_capability *capability) {
  return capability->capabilities & V4L2_CAP_DEVICE_CAPS ? capability->device_caps : capability->capabilities;
}

int cv4l2_querycap(int fd, struct v4l2_capability *capability) { return ioctl(fd, VIDIOC_QUERYCAP, capability); }

int cv4l2_g_input(int fd, int *index) { return ioctl(fd, VIDIOC_G_INPUT, index); }

int cv4l2_enuminput(int fd, struct v4l2_input *input) { return ioctl(fd, VIDIOC_ENUMINPUT, input); }

/* MARK: Modes */

int cv4l2_enum_fmt(int fd, struct v4l2_fmtdesc *description) { return ioctl(fd, VIDIOC_ENUM_FMT, description); }

int cv4l2_enum_framesizes(int fd, struct v4l2_frmsizeenum *size) { return ioctl(fd, VIDIOC_ENUM_FRAMESIZES, size); }

int cv4l2_enum_frameintervals(int fd, struct v4l2_frmivalenum *interval) {
  return ioctl(fd, VIDIOC_ENUM_FRAMEINTERVALS, interval);
}

static struct v4l2_format format_of(uint32_t type, const struct cv4l2_picture *picture) {
  struct v4l2_format format;
  memset(&format, 0, sizeof format);
  format.type = type;
  if (is_multiplanar(type)) {
    struct v4l2_pix_format_mplane *pix = &format.fmt.pix_mp;
    pix->width = picture->width;
    pix->height = picture->height;
    pix->pixelformat = picture->pixelformat;
    pix->field = picture->field;
    pix->num_planes = (uint8_t)at_most_planes(picture->planes);
    for (uint32_t plane = 0; plane < pix->num_planes; plane++) {
      pix->plane_fmt[plane].bytesperline = picture->bytesperline[plane];
      pix->plane_fmt[plane].sizeimage = picture->sizeimage[plane];
    }
  } else {
    struct v4l2_pix_format *pix = &format.fmt.pix;
    pix->width = picture->width;
    pix->height = picture->height;
    pix->pixelformat = picture->pixelformat;
    pix->field = picture->field;
    pix->bytesperline = picture->bytesperline[0];
    pix->sizeimage = picture->sizeimage[0];
    pix->priv = V4L2_PIX_FMT_PRIV_MAGIC;
  }
  return format;
}

static void picture_of(const struct v4l2_format *format, struct cv4l2_picture *picture) {
  memset(picture, 0, sizeof *picture);
  if (is_multiplanar(format->type)) {
    const struct v4l2_pix_format_mplane *pix = &format->fmt.pix_mp;
    picture->width = pix->width;
    picture->height = pix->height;
    picture->pixelformat = pix->pixelformat;
    picture->field = pix->field;
    picture->colorspace = pix->colorspace;
    picture->ycbcr_enc = pix->ycbcr_enc;
    picture->quantization = pix->quantization;
    picture->xfer_func = pix->xfer_func;
    picture->planes = pix->num_planes;
    for (uint32_t plane = 0; plane < at_most_planes(pix->num_planes); plane++) {
      picture->bytesperline[plane] = pix->plane_fmt[plane].bytesperline;
      picture->sizeimage[plane] = pix->plane_fmt[plane].sizeimage;
    }
  } else {
    const struct v4l2_pix_format *pix = &format->fmt.pix;
    picture->width = pix->width;
    picture->height = pix->height;
    picture->pixelformat = pix->pixelformat;
    picture->field = pix->field;
    picture->colorspace = pix->colorspace;
    /* Without the magic the driver knows only the fields up to the colorspace. */
    if (pix->priv == V4L2_PIX_FMT_PRIV_MAGIC) {
      picture->ycbcr_enc = pix->ycbcr_enc;
      picture->quantization = pix->quantization;
      picture->xfer_func = pix->xfer_func;
    }
    picture->planes = 1;
    picture->bytesperline[0] = pix->bytesperline;
    picture->sizeimage[0] = pix->sizeimage;
  }
}

static int format_ioctl(int fd, unsigned long request, uint32_t type, struct cv4l2_picture *picture) {
  struct v4l2_format format = format_of(type, picture);
  int result = ioctl(fd, request, &format);
  if (result == 0) picture_of(&format, picture);
  return result;
}

int cv4l2_g_fmt(int fd, uint32_t type, struct cv4l2_picture *picture) {
  return format_ioctl(fd, VIDIOC_G_FMT, type, picture);
}

int cv4l2_s_fmt(int fd, uint32_t type, struct cv4l2_picture *picture) {
  return format_ioctl(fd, VIDIOC_S_FMT, type, picture);
}

int cv4l2_try_fmt(int fd, uint32_t type, struct cv4l2_picture *picture) {
  return format_ioctl(fd, VIDIOC_TRY_FMT, type, picture);
}

static int parameter_ioctl(
    int fd, unsigned long request, uint32_t type, struct v4l2_fract *interval, uint32_t *capability) {
  struct v4l2_streamparm parameter;
  memset(&parameter, 0, sizeof parameter);
  parameter.type = type;
  parameter.parm.capture.timeperframe = *interval;
  int result = ioctl(fd, request, &parameter);
  if (result == 0) {
    *interval = parameter.parm.capture.timeperframe;
    *capability = parameter.parm.capture.capability;
  }
  return result;
}

int cv4l2_g_parm(int fd, uint32_t type, struct v4l2_fract *interval, uint32_t *capability) {
  return parameter_ioctl(fd, VIDIOC_G_PARM, type, interval, capability);
}

int cv4l2_s_parm(int fd, uint32_t type, struct v4l2_fract *interval, uint32_t *capability) {
  return parameter_ioctl(fd, VIDIOC_S_PARM, type, interval, capability);
}

/* MARK: Buffers */

int cv4l2_reqbufs(int fd, uint32_t type, uint32_t *count) {
  struct v4l2_requestbuffers request;
  memset(&request, 0, sizeof request);
  request.count = *count;
  request.type = type;
  request.memory = V4L2_MEMORY_MMAP;
  int result = ioctl(fd, VIDIOC_REQBUFS, &request);
  if (result == 0) *count = request.count;
  return result;
}

static int buffer_ioctl(
    int fd, unsigned long request, uint32_t type, uint32_t index, struct v4l2_buffer *buffer,
    struct v4l2_plane planes[VIDEO_MAX_PLANES]) {
  memset(buffer, 0, sizeof *buffer);
  buffer->type = type;
  buffer->memory = V4L2_MEMORY_MMAP;
  buffer->index = index;
  if (is_multiplanar(type)) {
    memset(planes, 0, VIDEO_MAX_PLANES * sizeof *planes);
    buffer->m.planes = planes;
    buffer->length = VIDEO_MAX_PLANES;
  }
  return ioctl(fd, request, buffer);
}

int cv4l2_querybuf(int fd, uint32_t type, uint32_t index, struct cv4l2_mapping *mapping) {
  struct v4l2_buffer buffer;
  struct v4l2_plane planes[VIDEO_MAX_PLANES];
  int result = buffer_ioctl(fd, VIDIOC_QUERYBUF, type, index, &buffer, planes);
  if (result != 0) return result;
  memset(mapping, 0, sizeof *mapping);
  mapping->flags = buffer.flags;
  if (is_multiplanar(type)) {
    mapping->planes = buffer.length;
    for (uint32_t plane = 0; plane < at_most_planes(buffer.length); plane++) {
      mapping->length[plane] = planes[plane].length;
      mapping->offset[plane] = planes[plane].m.mem_offset;
    }
  } else {
    mapping->planes = 1;
    mapping->length[0] = buffer.length;
    mapping->offset[0] = buffer.m.offset;
  }
  return result;
}

int cv4l2_qbuf(int fd, uint32_t type, uint32_t index) {
  struct v4l2_buffer buffer;
  struct v4l2_plane planes[VIDEO_MAX_PLANES];
  return buffer_ioctl(fd, VIDIOC_QBUF, type, index, &buffer, planes);
}

int cv4l2_dqbuf(int fd, uint32_t type, struct cv4l2_buffer *out) {
  struct v4l2_buffer buffer;
  struct v4l2_plane planes[VIDEO_MAX_PLANES];
  int result = buffer_ioctl(fd, VIDIOC_DQBUF, type, 0, &buffer, planes);
  if (result != 0) return result;
  memset(out, 0, sizeof *out);
  out->index = buffer.index;
  out->flags = buffer.flags;
  out->field = buffer.field;
  out->sequence = buffer.sequence;
  out->nanoseconds = (int64_t)buffer.timestamp.tv_sec * 1000000000 + (int64_t)buffer.timestamp.tv_usec * 1000;
  if (is_multiplanar(type)) {
    out->planes = buffer.length;
    for (uint32_t plane = 0; plane < at_most_planes(buffer.length); plane++) {
      out->bytesused[plane] = planes[plane].bytesused;
      out->data_offset[plane] = planes[plane].data_offset;
    }
  } else {
    out->planes = 1;
    out->bytesused[0] = buffer.bytesused;
  }
  return result;
}

int cv4l2_streamon(int fd, uint32_t type) {
  int value = (int)type;
  return ioctl(fd, VIDIOC_STREAMON, &value);
}

int cv4l2_streamoff(int fd, uint32_t type) {
  int value = (int)type;
  return ioctl(fd, VIDIOC_STREAMOFF, &value);
}

void *cv4l2_map(int fd, uint32_t length, uint32_t offset) {
  void *address = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
  return address == MAP_FAILED ? NULL : address;
}

int cv4l2_unmap(void *address, size_t length) { return munmap(address, length); }

/* MARK: Events */

int cv4l2_subscribe_event(int fd, uint32_t event, uint32_t id) {
  struct v4l2_event_subscription subscription;
  memset(&subscription, 0, sizeof subscription);
  subscription.type = event;
  subscription.id = id;
  return ioctl(fd, VIDIOC_SUBSCRIBE_EVENT, &subscription);
}

int cv4l2_dqevent(int fd, uint32_t *event, uint32_t *id, uint32_t *changes) {
  struct v4l2_event received;
  memset(&received, 0, sizeof received);
  int result = ioctl(fd, VIDIOC_DQEVENT, &received);
  if (result != 0) return result;
  *event = received.type;
  *id = received.id;
  *changes = received.type == V4L2_EVENT_SOURCE_CHANGE ? received.u.src_change.changes : 0;
  return result;
}

/* MARK: Controls */

int cv4l2_query_ext_ctrl(int fd, struct v4l2_query_ext_ctrl *control) {
  return ioctl(fd, VIDIOC_QUERY_EXT_CTRL, control);
}

int cv4l2_querymenu(int fd, struct v4l2_querymenu *item) { return ioctl(fd, VIDIOC_QUERYMENU, item); }

static int wide_ioctl(int fd, unsigned long request, uint32_t id, int64_t *value) {
  struct v4l2_ext_control control;
  struct v4l2_ext_controls controls;
  memset(&control, 0, sizeof control);
  memset(&controls, 0, sizeof controls);
  control.id = id;
  control.value64 = *value;
  controls.which = V4L2_CTRL_WHICH_CUR_VAL;
  controls.count = 1;
  controls.controls = &control;
  int result = ioctl(fd, request, &controls);
  if (result == 0) *value = control.value64;
  return result;
}

int cv4l2_g_ctrl(int fd, struct cv4l2_value *value, int wide) {
  if (wide) return wide_ioctl(fd, VIDIOC_G_EXT_CTRLS, value->id, &value->value);
  struct v4l2_control control = {.id = value->id};
  int result = ioctl(fd, VIDIOC_G_CTRL, &control);
  if (result == 0) value->value = control.value;
  return result;
}

int cv4l2_s_ctrl(int fd, const struct cv4l2_value *value, int wide) {
  int64_t copy = value->value;
  if (wide) return wide_ioctl(fd, VIDIOC_S_EXT_CTRLS, value->id, &copy);
  struct v4l2_control control = {.id = value->id, .value = (int32_t)value->value};
  return ioctl(fd, VIDIOC_S_CTRL, &control);
}

/* MARK: Crop */

static int selection_ioctl(int fd, unsigned long request, uint32_t target, struct v4l2_rect *area) {
  struct v4l2_selection selection;
  memset(&selection, 0, sizeof selection);
  /* The kernel takes this type for multi-planar nodes, too. */
  selection.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  selection.target = target;
  selection.r = *area;
  int result = ioctl(fd, request, &selection);
  if (result == 0) *area = selection.r;
  return result;
}

int cv4l2_g_selection(int fd, uint32_t target, struct v4l2_rect *area) {
  return selection_ioctl(fd, VIDIOC_G_SELECTION, target, area);
}

int cv4l2_s_crop(int fd, struct v4l2_rect *area) {
  return selection_ioctl(fd, VIDIOC_S_SELECTION, V4L2_SEL_TGT_CROP, area);
}
