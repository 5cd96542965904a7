#ifndef CP_INTERNAL_H
#define CP_INTERNAL_H

#include <stdio.h>

#include "CPhotos.h"

/// The beginning of each format's own reader.
struct cp_reader {
  int (*read)(cp_reader *reader, int32_t count, void *rows, cp_failure *failure);
  void (*close)(cp_reader *reader);
  int64_t stray_bytes;
};

/// The beginning of each format's own writer.
struct cp_writer {
  int (*write)(cp_writer *writer, int32_t count, const void *rows, cp_failure *failure);
  /// `failure` is NULL where the rest of the file is not wanted.
  int (*finish)(cp_writer *writer, cp_failure *failure);
};

/// Each takes the open file, also where it fails.
cp_reader *cp_open_jpeg(FILE *file, cp_facts *facts, cp_failure *failure);
cp_reader *cp_open_png(FILE *file, cp_facts *facts, cp_failure *failure);
cp_reader *cp_open_tiff(const char *path, cp_facts *facts, cp_failure *failure);

cp_writer *cp_create_jpeg(int file, const cp_facts *facts, int quality, cp_failure *failure);
cp_writer *cp_create_png(int file, const cp_facts *facts, cp_failure *failure);
cp_writer *cp_create_tiff(int file, const cp_facts *facts, cp_failure *failure);

struct tiff;  // libtiff's

/// The EXIF of an open TIFF, as one block from its header on. `bytes` are to be freed in any case.
cp_blob cp_take_exif(int file, uint8_t **bytes);
/// Whether a block has the most significant byte first.
int cp_is_big_exif(cp_blob exif);
/// Puts a block behind the header of a TIFF of the same byte order that has nothing else yet, and its texts, ratings
/// and resolution into the first directory. 0 if it cannot be written.
int cp_give_exif(struct tiff *tiff, int file, cp_blob exif);

/// Always 0.
int cp_fail(cp_failure *failure, cp_problem problem, int32_t number, const char *text);

/// 0, with the failure, if a side is too long.
int cp_check_sides(int64_t width, int64_t height, cp_failure *failure);

/// Bytes of a row.
static inline size_t cp_row_bytes(const cp_facts *facts) {
  return (size_t)facts->width * (size_t)facts->channels * (size_t)(facts->bits / 8);
}

#endif
