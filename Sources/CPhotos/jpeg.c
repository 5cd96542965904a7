#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cp_internal.h"

#include <jpeglib.h>

#include <jerror.h>

/// libjpeg reports an error by a call that must not return.
typedef struct errors {
  struct jpeg_error_mgr base;
  jmp_buf back;
  cp_failure *failure;
  cp_problem problem;  ///< what an error means
  int is_profile_broken;
  FILE *file;  ///< that is read; NULL for a writer
  int64_t stray_bytes;
} errors;

static void stop(j_common_ptr info) {
  errors *const own = (errors *)info->err;
  if (own->failure) {
    const int number = errno;
    char text[JMSG_LENGTH_MAX];
    own->base.format_message(info, text);
    switch (own->base.msg_code) {
      case JERR_OUT_OF_MEMORY: cp_fail(own->failure, CP_NO_MEMORY, 0, text); break;
      // Whole, but not for this library: so many bits, another process (lossless), a longer side.
      case JERR_BAD_PRECISION: cp_fail(own->failure, CP_DEPTH, own->base.msg_parm.i[0], text); break;
      case JERR_SOF_UNSUPPORTED:
      case JERR_ARITH_NOTIMPL: cp_fail(own->failure, CP_KIND, 0, text); break;
      case JERR_IMAGE_TOO_BIG:
        if (info->is_decompressor) {
          const j_decompress_ptr picture = (j_decompress_ptr)info;
          cp_check_sides(picture->image_width, picture->image_height, own->failure);
          break;
        }
        // fall through
      default: cp_fail(own->failure, own->problem, number, text);
    }
  }
  longjmp(own->back, 1);
}

/// Whether the last `count` bytes that were skipped are all 0: some programs fill up with that.
static int is_padding(const errors *own, const struct jpeg_source_mgr *source, long count) {
  const long end = ftell(own->file) - (long)source->bytes_in_buffer;
  for (long at = end - count; at < end;) {
    uint8_t bytes[4096];
    const size_t most = (size_t)(end - at) < sizeof bytes ? (size_t)(end - at) : sizeof bytes;
    const ssize_t got = pread(fileno(own->file), bytes, most, at);
    if (got <= 0) return 0;
    for (ssize_t i = 0; i < got; i++)
      if (bytes[i]) return 0;
    at += got;
  }
  return 1;
}

/// Bytes between two markers. In front of the first scan, the picture is whole. Behind the beginning of one, either
/// the decoder has lost its place, or the camera's encoder leaves them there: nobody can tell.
static void skip(errors *own, j_decompress_ptr info, long count) {
  if (info->input_scan_number > 0 && !is_padding(own, info->src, count)) own->stray_bytes += count;
}

static void note(j_common_ptr info, int level) {
  errors *const own = (errors *)info->err;
  if (level >= 0) return;
  switch (own->base.msg_code) {
    case JWRN_EXTRANEOUS_DATA: skip(own, (j_decompress_ptr)info, own->base.msg_parm.i[0]); break;
    // Adobe's marker with an unknown number, a newer JFIF: the picture is whole.
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR: break;
    case JWRN_BOGUS_ICC: own->is_profile_broken = 1; break;
    // Damage, which the library would go on with, also for thousands of scans.
    default: stop(info);
  }
}

static struct jpeg_error_mgr *prepare(errors *own, cp_failure *failure, cp_problem problem) {
  jpeg_std_error(&own->base);
  own->base.error_exit = stop;
  own->base.emit_message = note;
  own->failure = failure;
  own->problem = problem;
  return &own->base;
}

// MARK: Reading

typedef struct reader {
  cp_reader base;
  struct jpeg_decompress_struct info;
  errors errors;
  FILE *file;
  JOCTET *icc;
} reader;

static void close_reader(cp_reader *base) {
  reader *const own = (reader *)base;
  own->errors.failure = NULL;
  if (setjmp(own->errors.back) == 0) jpeg_destroy_decompress(&own->info);
  fclose(own->file);
  free(own->icc);
  free(own);
}

static int read_rows(cp_reader *base, int32_t count, void *rows, cp_failure *failure) {
  reader *const own = (reader *)base;
  own->errors.failure = failure;
  if (setjmp(own->errors.back)) return 0;
  const size_t bytes = (size_t)own->info.output_width * (size_t)own->info.output_components;
  for (int32_t row = 0; row < count; row++) {
    JSAMPROW at = (JSAMPROW)rows + (size_t)row * bytes;
    (void)jpeg_read_scanlines(&own->info, &at, 1);
  }
  // Cut off behind its last row, it may have lost a part of it.
  if (own->info.output_scanline == own->info.output_height) (void)jpeg_finish_decompress(&own->info);
  own->base.stray_bytes = own->errors.stray_bytes;
  return 1;
}

/// The marker's bytes behind `name`.
static cp_blob segment(const reader *own, const char *name, size_t length) {
  for (jpeg_saved_marker_ptr marker = own->info.marker_list; marker; marker = marker->next)
    if (marker->marker == JPEG_APP0 + 1 && marker->data_length > length && memcmp(marker->data, name, length) == 0)
      return (cp_blob){ marker->data + length, marker->data_length - length };
  return (cp_blob){ NULL, 0 };
}

static int begin(reader *own, cp_facts *facts, cp_failure *failure) {
  if (setjmp(own->errors.back)) return 0;
  struct jpeg_decompress_struct *const info = &own->info;
  jpeg_create_decompress(info);
  jpeg_stdio_src(info, own->file);
  jpeg_save_markers(info, JPEG_APP0 + 1, 0xFFFF);
  jpeg_save_markers(info, JPEG_APP0 + 2, 0xFFFF);
  (void)jpeg_read_header(info, TRUE);
  if (!cp_check_sides(info->image_width, info->image_height, failure)) return 0;
  if (info->data_precision != 8) return cp_fail(failure, CP_DEPTH, info->data_precision, "");
  switch (info->jpeg_color_space) {
    case JCS_GRAYSCALE: info->out_color_space = JCS_GRAYSCALE; break;
    case JCS_YCbCr:
    case JCS_RGB: info->out_color_space = JCS_RGB; break;
    case JCS_CMYK:
    case JCS_YCCK: return cp_fail(failure, CP_CMYK, 0, "");
    default: return cp_fail(failure, CP_KIND, 0, "unknown colours");
  }
  facts->format = CP_JPEG;
  facts->width = (int32_t)info->image_width;
  facts->height = (int32_t)info->image_height;
  facts->channels = info->out_color_space == JCS_RGB ? 3 : 1;
  facts->bits = 8;
  // A progressive one is held as coefficients of 16 bits.
  if (jpeg_has_multiple_scans(info) && 2 * cp_row_bytes(facts) * (size_t)facts->height > CP_MAX_WHOLE)
    return cp_fail(failure, CP_WHOLE, 0, "a progressive JPEG");
  unsigned size = 0;
  if (jpeg_read_icc_profile(info, &own->icc, &size)) facts->icc = (cp_blob){ own->icc, size };
  if (own->errors.is_profile_broken) return cp_fail(failure, CP_BROKEN_PROFILE, 0, "its parts do not fit together");
  facts->exif = segment(own, "Exif\0", 6);
  facts->xmp = segment(own, "http://ns.adobe.com/xap/1.0/", 29);
  facts->has_more_xmp = segment(own, "http://ns.adobe.com/xmp/extension/", 35).size > 0;
  (void)jpeg_start_decompress(info);
  return 1;
}

cp_reader *cp_open_jpeg(FILE *file, cp_facts *facts, cp_failure *failure) {
  reader *const own = calloc(1, sizeof *own);
  if (!own) {
    fclose(file);
    cp_fail(failure, CP_NO_MEMORY, 0, "");
    return NULL;
  }
  own->base = (cp_reader){ read_rows, close_reader, 0 };
  own->file = file;
  own->info.err = prepare(&own->errors, failure, CP_DAMAGED);
  own->errors.file = file;
  if (begin(own, facts, failure)) return &own->base;
  close_reader(&own->base);
  return NULL;
}

// MARK: Writing

typedef struct writer {
  cp_writer base;
  struct jpeg_compress_struct info;
  errors errors;
  FILE *file;
} writer;

static int write_rows(cp_writer *base, int32_t count, const void *rows, cp_failure *failure) {
  writer *const own = (writer *)base;
  own->errors.failure = failure;
  if (setjmp(own->errors.back)) return 0;
  for (int32_t row = 0; row < count; row++) {
    JSAMPROW at = (JSAMPROW)(uintptr_t)((const uint8_t *)rows + (size_t)row * 3 * own->info.image_width);
    (void)jpeg_write_scanlines(&own->info, &at, 1);
  }
  return 1;
}

/// Ends the JPEG's own part.
static int end(writer *own) {
  if (setjmp(own->errors.back)) return 0;
  jpeg_finish_compress(&own->info);
  return 1;
}

static int finish_writer(cp_writer *base, cp_failure *failure) {
  writer *const own = (writer *)base;
  own->errors.failure = failure;
  int is_written = failure && end(own);
  if (setjmp(own->errors.back) == 0) jpeg_destroy_compress(&own->info);
  if (own->file && fclose(own->file) != 0 && is_written) is_written = cp_fail(failure, CP_NOT_WRITTEN, errno, "");
  free(own);
  return is_written;
}

static void put_segment(writer *own, const char *name, size_t length, cp_blob blob) {
  if (blob.size == 0) return;
  jpeg_write_m_header(&own->info, JPEG_APP0 + 1, (unsigned)(blob.size + length));
  for (size_t i = 0; i < length; i++) jpeg_write_m_byte(&own->info, (uint8_t)name[i]);
  for (size_t i = 0; i < blob.size; i++) jpeg_write_m_byte(&own->info, blob.bytes[i]);
}

static int start(writer *own, const cp_facts *facts, int quality) {
  if (setjmp(own->errors.back)) return 0;
  struct jpeg_compress_struct *const info = &own->info;
  jpeg_create_compress(info);
  jpeg_stdio_dest(info, own->file);
  info->image_width = (JDIMENSION)facts->width;
  info->image_height = (JDIMENSION)facts->height;
  info->input_components = 3;
  info->in_color_space = JCS_RGB;
  jpeg_set_defaults(info);
  jpeg_set_quality(info, quality, TRUE);
  if (quality >= 90) info->comp_info[0].h_samp_factor = info->comp_info[0].v_samp_factor = 1;
  jpeg_start_compress(info, TRUE);
  put_segment(own, "Exif\0", 6, facts->exif);
  put_segment(own, "http://ns.adobe.com/xap/1.0/", 29, facts->xmp);
  if (facts->icc.size) jpeg_write_icc_profile(info, facts->icc.bytes, (unsigned)facts->icc.size);
  return 1;
}

cp_writer *cp_create_jpeg(int file, const cp_facts *facts, int quality, cp_failure *failure) {
  writer *const own = calloc(1, sizeof *own);
  if (!own) {
    cp_fail(failure, CP_NO_MEMORY, 0, "");
    return NULL;
  }
  own->base = (cp_writer){ write_rows, finish_writer };
  own->info.err = prepare(&own->errors, failure, CP_NOT_WRITTEN);
  const int other = dup(file);
  own->file = other < 0 ? NULL : fdopen(other, "wb");
  if (!own->file) {
    cp_fail(failure, CP_NOT_WRITTEN, errno, "");
    if (other >= 0) close(other);
    free(own);
    return NULL;
  }
  if (start(own, facts, quality)) return &own->base;
  finish_writer(&own->base, NULL);
  return NULL;
}
