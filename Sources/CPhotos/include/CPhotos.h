#ifndef CPHOTOS_H
#define CPHOTOS_H

#include <stddef.h>
#include <stdint.h>

// Photographs in files, row by row: JPEG, PNG and TIFF. Every symbol begins with cp_. The libraries' own ways to report
// errors (jumps, callbacks) end here.

enum {
  /// Bytes of EXIF and of XMP in a JPEG, at most: a segment has 65533.
  CP_MAX_JPEG_EXIF = 65533 - 6,
  CP_MAX_JPEG_XMP = 65533 - 29,
  /// Pixels on a side, at most: libjpeg's own limit.
  CP_MAX_SIDE = 65500,
  /// Bytes of a picture that only has rows once all of it is decoded, at most.
  CP_MAX_WHOLE = 1 << 30,
};

typedef enum cp_problem {
  CP_FINE,
  CP_NOT_OPENED,  ///< the system refuses; `number` is errno
  CP_NO_PICTURE,  ///< neither JPEG nor PNG nor TIFF
  CP_DAMAGED,
  CP_CMYK,
  CP_ANIMATED,
  CP_TRANSPARENT,
  CP_HDR,
  CP_DEPTH,  ///< `number` is its bits
  CP_KIND,   ///< pixels in a form that is not read
  CP_SIDE,   ///< a side is too long
  CP_WHOLE,  ///< above CP_MAX_WHOLE
  CP_BROKEN_PROFILE,
  CP_NO_MEMORY,
  CP_NOT_WRITTEN,
} cp_problem;

typedef struct cp_failure {
  cp_problem problem;
  int32_t number;
  char text[200];  ///< what the library said, or what it is, without a line end
} cp_failure;

typedef enum cp_format { CP_JPEG, CP_PNG, CP_TIFF } cp_format;

typedef struct cp_blob {
  const uint8_t *bytes;
  size_t size;  ///< 0: there is none
} cp_blob;

typedef struct cp_facts {
  cp_format format;
  int32_t width, height;
  int32_t channels;  ///< 1 (grey) or 3
  int32_t bits;      ///< 8 or 16
  int32_t is_srgb;   ///< the file says so without a profile: a PNG
  int32_t is_quick;  ///< for a writer: of a PNG, with a fraction of the work
  int32_t orientation;  ///< of a TIFF, 1 to 8; 0 elsewhere
  cp_blob icc;   ///< the ICC profile
  cp_blob exif;  ///< from the TIFF header on
  cp_blob xmp;
  int32_t has_more_xmp;  ///< a JPEG's XMP goes on in segments of its own
} cp_facts;

typedef struct cp_reader cp_reader;

/// Opens a photograph. The facts' bytes belong to the reader. NULL, with the failure, if it cannot be read.
cp_reader *cp_open(const char *path, cp_facts *facts, cp_failure *failure);
/// The next `count` rows, one after the other, in the machine's byte order. 0, with the failure, if it is damaged.
int cp_read(cp_reader *reader, int32_t count, void *rows, cp_failure *failure);
/// Bytes of a JPEG's pixels, up to the last row read, that belong to none of them. Zeros do not count.
int64_t cp_stray_bytes(const cp_reader *reader);
void cp_close(cp_reader *reader);

typedef struct cp_writer cp_writer;

/// Begins a photograph of three channels in an empty file that can be read, written and moved in, and stays open.
///
/// - quality: of a JPEG, 1 to 100; from 90 on it keeps the colour of each pixel.
cp_writer *cp_create(int file, const cp_facts *facts, int quality, cp_failure *failure);
int cp_write(cp_writer *writer, int32_t count, const void *rows, cp_failure *failure);
/// Ends the file. The writer is gone, whatever is returned.
int cp_finish(cp_writer *writer, cp_failure *failure);
/// Ends the writer, without the rest of the file.
void cp_abandon(cp_writer *writer);

// MARK: Colour

/// Samples of each curve of a profile.
enum { CP_CURVE = 65536 };

typedef enum cp_profile_kind {
  CP_MATRIX_PROFILE,  ///< three primaries and three curves
  CP_GREY_PROFILE,    ///< one curve; the primaries are left as they are
  CP_TABLE_PROFILE,   ///< RGB or grey by tables
  CP_OTHER_PROFILE,   ///< colours other than RGB and grey
  CP_NO_PROFILE,      ///< broken
} cp_profile_kind;

/// - to_xyz: by rows, linear RGB to XYZ of the profile connection space (D50).
/// - curves: light by code, 0 to 1, CP_CURVE samples for red, then green, then blue.
cp_profile_kind cp_read_profile(const void *bytes, size_t size, double to_xyz[9], double *curves);

/// An ICC profile (version 4) of RGB with sRGB's curve and the white D65, the same bytes each time. Returns the size; 0
/// without memory. Nothing is written beyond `room`.
///
/// - primaries: x and y of red, green and blue.
size_t cp_make_profile(const char *name, const double primaries[6], void *bytes, size_t room);

#endif
