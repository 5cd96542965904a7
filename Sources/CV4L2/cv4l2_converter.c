#include "CV4L2.h"

#include <errno.h>
#include <libv4lconvert.h>
#include <stdlib.h>
#include <string.h>

struct cv4l2_converter {
  struct v4lconvert_data *data;
  struct v4l2_format source, destination;
};

struct cv4l2_converter *cv4l2_converter_create(int fd, const struct cv4l2_picture *picture) {
  struct cv4l2_converter *converter = calloc(1, sizeof *converter);
  if (!converter) return NULL;
  converter->data = v4lconvert_create(fd);
  if (!converter->data) {
    free(converter);
    errno = ENOMEM;
    return NULL;
  }
  converter->source.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  struct v4l2_pix_format *pix = &converter->source.fmt.pix;
  pix->width = picture->width;
  pix->height = picture->height;
  pix->pixelformat = picture->pixelformat;
  pix->field = picture->field;
  pix->bytesperline = picture->bytesperline[0];
  pix->sizeimage = picture->sizeimage[0];
  pix->colorspace = picture->colorspace;
  converter->destination = converter->source;
  pix = &converter->destination.fmt.pix;
  pix->pixelformat = V4L2_PIX_FMT_YUV420;
  pix->bytesperline = picture->width;
  pix->sizeimage = picture->width * picture->height * 3 / 2;
  return converter;
}

void cv4l2_converter_destroy(struct cv4l2_converter *converter) {
  if (!converter) return;
  v4lconvert_destroy(converter->data);
  free(converter);
}

int cv4l2_converter_convert(
    struct cv4l2_converter *converter, void *source, int source_bytes, void *destination, int destination_bytes) {
  return v4lconvert_convert(
      converter->data, &converter->source, &converter->destination, source, source_bytes, destination,
      destination_bytes);
}

const char *cv4l2_converter_error(struct cv4l2_converter *converter) {
  return v4lconvert_get_error_message(converter->data);
}
