#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "cp_internal.h"

/// libpng reports an error by a call that must not return, and warnings by one that may.
typedef struct errors {
  cp_failure *failure;
  cp_problem problem;  ///< what an error means
  char profile_warning[120];
} errors;

static void stop(png_structp png, png_const_charp text) {
  errors *const own = png_get_error_ptr(png);
  if (own->failure) cp_fail(own->failure, strstr(text, "memory") ? CP_NO_MEMORY : own->problem, errno, text);
  png_longjmp(png, 1);
}

static void note(png_structp png, png_const_charp text) {
  errors *const own = png_get_error_ptr(png);
  if (strncmp(text, "iCCP", 4) == 0) snprintf(own->profile_warning, sizeof own->profile_warning, "%s", text);
}

static const char xmp_name[] = "XML:com.adobe.xmp";

/// Bytes of a profile or of a text, at most.
enum { MOST_CHUNK = 16 << 20 };

// MARK: Reading

typedef struct reader {
  cp_reader base;
  png_structp png;
  png_infop info;
  errors errors;
  FILE *file;
  int32_t height, next;
  size_t row_bytes;
  uint8_t *whole;  ///< of an interlaced picture
  uint8_t *exif, *text;  ///< chunks behind the pixels
} reader;

static void close_reader(cp_reader *base) {
  reader *const own = (reader *)base;
  own->errors.failure = NULL;
  if (own->png) png_destroy_read_struct(&own->png, &own->info, NULL);
  fclose(own->file);
  free(own->whole);
  free(own->exif);
  free(own->text);
  free(own);
}

static int read_rows(cp_reader *base, int32_t count, void *rows, cp_failure *failure) {
  reader *const own = (reader *)base;
  own->errors.failure = failure;
  if (setjmp(png_jmpbuf(own->png))) return 0;
  for (int32_t row = 0; row < count; row++, own->next++) {
    uint8_t *const to = (uint8_t *)rows + (size_t)row * own->row_bytes;
    if (own->whole)
      memcpy(to, own->whole + (size_t)own->next * own->row_bytes, own->row_bytes);
    else
      png_read_row(own->png, to, NULL);
  }
  // What follows has checksums as well.
  if (own->next == own->height) png_read_end(own->png, NULL);
  return 1;
}

static void take_metadata(const reader *own, cp_facts *facts) {
  png_bytep bytes = NULL;
  png_uint_32 size = 0;
  if (png_get_eXIf_1(own->png, own->info, &size, &bytes)) facts->exif = (cp_blob){ bytes, size };
  png_textp texts = NULL;
  int count = 0;
  png_get_text(own->png, own->info, &texts, &count);
  for (int i = 0; i < count; i++)
    if (strcmp(texts[i].key, xmp_name) == 0 && texts[i].text) {
      const size_t length = texts[i].itxt_length ? texts[i].itxt_length : texts[i].text_length;
      facts->xmp = (cp_blob){ (const uint8_t *)texts[i].text, length };
      return;
    }
}

/// What stands in an uncompressed text chunk of XMP (XMP specification, part 3, 1.1.5); nothing in others.
static cp_blob xmp_of(const uint8_t *chunk, size_t size) {
  // The name and its end, two zeros for no compression, then a language and a translated name with their ends.
  const size_t name = sizeof xmp_name;
  if (size < name + 4 || memcmp(chunk, xmp_name, name) != 0 || chunk[name] != 0) return (cp_blob){ NULL, 0 };
  const uint8_t *at = chunk + name + 2;
  for (int i = 0; i < 2; i++) {
    at = memchr(at, 0, size - (size_t)(at - chunk));
    if (!at) return (cp_blob){ NULL, 0 };
    at++;
  }
  return (cp_blob){ at, size - (size_t)(at - chunk) };
}

/// Takes the EXIF and XMP that some programs write behind the pixels. A file that is cut off in there is found by
/// libpng at its end.
static int take_late_metadata(reader *own, cp_facts *facts, cp_failure *failure) {
  uint8_t head[8];
  int is_late = 0;
  fseeko(own->file, sizeof head, SEEK_SET);
  while (fread(head, 1, sizeof head, own->file) == sizeof head) {
    const char *const name = (const char *)head + 4;
    const size_t size = png_get_uint_32(head);
    const int is_exif = memcmp(name, "eXIf", 4) == 0, is_text = memcmp(name, "iTXt", 4) == 0;
    size_t taken = 0;
    if (memcmp(name, "IDAT", 4) == 0) {
      is_late = 1;
    } else if (is_late && (is_exif || is_text) && size > 0 && size <= MOST_CHUNK) {
      uint8_t *const bytes = malloc(size);
      if (!bytes) return cp_fail(failure, CP_NO_MEMORY, 0, "");
      taken = fread(bytes, 1, size, own->file);
      const cp_blob xmp = is_text && taken == size ? xmp_of(bytes, size) : (cp_blob){ NULL, 0 };
      if (is_exif && taken == size && !own->exif) {
        own->exif = bytes;
        facts->exif = (cp_blob){ bytes, size };
      } else if (xmp.size > 0 && !own->text) {
        own->text = bytes;
        facts->xmp = xmp;
      } else {
        free(bytes);
      }
    }
    if (fseeko(own->file, (off_t)(size - taken) + 4, SEEK_CUR) != 0) break;
  }
  rewind(own->file);
  return 1;
}

/// A chunk that libpng does not know; NULL if there is none.
static png_unknown_chunkp unknown_chunk(const reader *own, const char *name) {
  png_unknown_chunkp chunks = NULL;
  const int count = png_get_unknown_chunks(own->png, own->info, &chunks);
  for (int i = 0; i < count; i++)
    if (memcmp(chunks[i].name, name, 4) == 0) return chunks + i;
  return NULL;
}

/// Whether the colours are those of PQ or HLG (ITU-T H.273, 16 and 18), whatever its profile says: cICP comes first.
static int is_hdr(const reader *own) {
  const png_unknown_chunkp chunk = unknown_chunk(own, "cICP");
  return chunk && chunk->size == 4 && (chunk->data[1] == 16 || chunk->data[1] == 18);
}

static int begin(reader *own, cp_facts *facts, cp_failure *failure) {
  png_structp png = own->png;
  png_infop info = own->info;
  if (setjmp(png_jmpbuf(png))) return 0;
  png_init_io(png, own->file);
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  // A small file can hold many large texts: 64 are taken, and none of the kinds that nobody asks for.
  png_set_chunk_malloc_max(png, MOST_CHUNK);
  png_set_chunk_cache_max(png, 64);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, (png_const_bytep) "tEXt\0zTXt\0sPLT\0hIST", 4);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep) "acTL\0cICP", 2);
  // Known sRGB profiles with a known mistake are read like any other.
  png_set_option(png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
  png_read_info(png, info);
  const int64_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
  if (!cp_check_sides(width, height, failure)) return 0;
  if (unknown_chunk(own, "acTL")) return cp_fail(failure, CP_ANIMATED, 0, "");
  if (is_hdr(own)) return cp_fail(failure, CP_HDR, 0, "");
  const int color = png_get_color_type(png, info), depth = png_get_bit_depth(png, info);
  if (color & PNG_COLOR_MASK_ALPHA || png_get_valid(png, info, PNG_INFO_tRNS))
    return cp_fail(failure, CP_TRANSPARENT, 0, "");
  if (color == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (color == PNG_COLOR_TYPE_GRAY && depth < 8) png_set_expand_gray_1_2_4_to_8(png);
  const uint16_t one = 1;
  if (depth == 16 && *(const uint8_t *)&one == 1) png_set_swap(png);
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);

  facts->format = CP_PNG;
  facts->width = (int32_t)width;
  facts->height = own->height = (int32_t)height;
  facts->channels = color & PNG_COLOR_MASK_COLOR ? 3 : 1;
  facts->bits = depth == 16 ? 16 : 8;
  own->row_bytes = cp_row_bytes(facts);
  if (png_get_rowbytes(png, info) != own->row_bytes) return cp_fail(failure, CP_KIND, 0, "an unknown layout");

  png_charp name = NULL;
  png_bytep bytes = NULL;
  png_uint_32 size = 0;
  int number = 0;
  if (png_get_iCCP(png, info, &name, &number, &bytes, &size))
    facts->icc = (cp_blob){ bytes, size };
  else if (png_get_sRGB(png, info, &number))
    facts->is_srgb = 1;
  else if (own->errors.profile_warning[0])
    return cp_fail(failure, CP_BROKEN_PROFILE, 0, own->errors.profile_warning);
  take_metadata(own, facts);

  if (passes > 1) {
    if (own->row_bytes * (size_t)height > CP_MAX_WHOLE) return cp_fail(failure, CP_WHOLE, 0, "an interlaced PNG");
    own->whole = malloc(own->row_bytes * (size_t)height);
    if (!own->whole) return cp_fail(failure, CP_NO_MEMORY, 0, "");
    for (int pass = 0; pass < passes; pass++)
      for (int64_t row = 0; row < height; row++) png_read_row(png, own->whole + (size_t)row * own->row_bytes, NULL);
  }
  return 1;
}

cp_reader *cp_open_png(FILE *file, cp_facts *facts, cp_failure *failure) {
  reader *const own = calloc(1, sizeof *own);
  if (!own) {
    fclose(file);
    cp_fail(failure, CP_NO_MEMORY, 0, "");
    return NULL;
  }
  own->base = (cp_reader){ read_rows, close_reader, 0 };
  own->file = file;
  own->errors = (errors){ failure, CP_DAMAGED, "" };
  if (!take_late_metadata(own, facts, failure)) {
    close_reader(&own->base);
    return NULL;
  }
  own->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &own->errors, stop, note);
  own->info = own->png ? png_create_info_struct(own->png) : NULL;
  if (!own->info)
    cp_fail(failure, CP_NO_MEMORY, 0, "");
  else if (begin(own, facts, failure))
    return &own->base;
  close_reader(&own->base);
  return NULL;
}

// MARK: Writing

typedef struct writer {
  cp_writer base;
  png_structp png;
  png_infop info;
  errors errors;
  FILE *file;
  size_t row_bytes;
} writer;

static int write_rows(cp_writer *base, int32_t count, const void *rows, cp_failure *failure) {
  writer *const own = (writer *)base;
  own->errors.failure = failure;
  if (setjmp(png_jmpbuf(own->png))) return 0;
  for (int32_t row = 0; row < count; row++)
    png_write_row(own->png, (const uint8_t *)rows + (size_t)row * own->row_bytes);
  return 1;
}

static int end(writer *own) {
  if (setjmp(png_jmpbuf(own->png))) return 0;
  png_write_end(own->png, NULL);
  return 1;
}

static int finish_writer(cp_writer *base, cp_failure *failure) {
  writer *const own = (writer *)base;
  own->errors.failure = failure;
  int is_written = failure && end(own);
  if (own->png) png_destroy_write_struct(&own->png, &own->info);
  if (own->file && fclose(own->file) != 0 && is_written) is_written = cp_fail(failure, CP_NOT_WRITTEN, errno, "");
  free(own);
  return is_written;
}

static int start(writer *own, const cp_facts *facts) {
  png_structp png = own->png;
  png_infop info = own->info;
  if (setjmp(png_jmpbuf(png))) return 0;
  png_init_io(png, own->file);
  png_set_user_limits(png, CP_MAX_SIDE, CP_MAX_SIDE);
  // Grain does not get smaller by more work.
  png_set_compression_level(png, 3);
  if (facts->is_quick) {
    png_set_compression_strategy(png, Z_RLE);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  }
  png_set_IHDR(
      png, info, (png_uint_32)facts->width, (png_uint_32)facts->height, facts->bits, PNG_COLOR_TYPE_RGB,
      PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (facts->icc.size)
    png_set_iCCP(png, info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, facts->icc.bytes, (png_uint_32)facts->icc.size);
  else if (facts->is_srgb)
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (facts->exif.size)
    png_set_eXIf_1(png, info, (png_uint_32)facts->exif.size, (png_bytep)(uintptr_t)facts->exif.bytes);
  if (facts->xmp.size) {
    // libpng copies the text, which ends with 0.
    char *const xmp = calloc(1, facts->xmp.size + 1);
    if (!xmp) png_error(png, "no memory for XMP");
    memcpy(xmp, facts->xmp.bytes, facts->xmp.size);
    png_text text = { .compression = PNG_ITXT_COMPRESSION_NONE, .key = (png_charp)(uintptr_t)xmp_name, .text = xmp };
    text.lang = text.lang_key = "";
    png_set_text(png, info, &text, 1);
    free(xmp);
  }
  png_write_info(png, info);
  const uint16_t one = 1;
  if (facts->bits == 16 && *(const uint8_t *)&one == 1) png_set_swap(png);
  return 1;
}

cp_writer *cp_create_png(int file, const cp_facts *facts, cp_failure *failure) {
  writer *const own = calloc(1, sizeof *own);
  if (!own) {
    cp_fail(failure, CP_NO_MEMORY, 0, "");
    return NULL;
  }
  own->base = (cp_writer){ write_rows, finish_writer };
  own->errors = (errors){ failure, CP_NOT_WRITTEN, "" };
  own->row_bytes = cp_row_bytes(facts);
  const int other = dup(file);
  own->file = other < 0 ? NULL : fdopen(other, "wb");
  if (!own->file) {
    cp_fail(failure, CP_NOT_WRITTEN, errno, "");
    if (other >= 0) close(other);
    free(own);
    return NULL;
  }
  own->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &own->errors, stop, note);
  own->info = own->png ? png_create_info_struct(own->png) : NULL;
  if (!own->info)
    cp_fail(failure, CP_NO_MEMORY, 0, "");
  else if (start(own, facts))
    return &own->base;
  finish_writer(&own->base, NULL);
  return NULL;
}
