#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

#include "cp_internal.h"

// The EXIF of a TIFF is spread over the file: texts in its first directory, and directories of its own that this one
// points to. JPEGs and PNGs hold it as a block that begins like a TIFF (CIPA DC-008, 4.5). Offsets count from the
// beginning of either.

enum {
  /// Bytes of a block, at most: a segment of a JPEG has to hold it.
  MOST_BLOCK = 65000,
  /// Bytes of a value, at most.
  MOST_VALUE = 32768,
  /// Entries of a directory, at most.
  MOST_ENTRIES = 256,

  HEADER = 8,
  ENTRY = 12,
  RATING = 18246,
  RATING_PERCENT = 18249,
  FIRST_OF_WINDOWS = 40091,
  LAST_OF_WINDOWS = 40095,
  EXIF_DIRECTORY = 34665,
  GPS_DIRECTORY = 34853,
  INTEROPERABILITY_DIRECTORY = 40965,
};

static uint32_t get(const uint8_t *at, int count, int is_big) {
  uint32_t value = 0;
  for (int i = 0; i < count; i++) value |= (uint32_t)at[i] << 8 * (is_big ? count - 1 - i : i);
  return value;
}

static void put(uint8_t *at, int count, int is_big, uint32_t value) {
  for (int i = 0; i < count; i++) at[i] = (uint8_t)(value >> 8 * (is_big ? count - 1 - i : i));
}

/// Bytes of an entry's values; 0 for a type that is unknown.
static uint64_t value_size(const uint8_t *entry, int is_big) {
  static const uint8_t sizes[] = { 0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4 };
  const uint32_t type = get(entry + 2, 2, is_big);
  return type < sizeof sizes ? (uint64_t)sizes[type] * get(entry + 4, 4, is_big) : 0;
}

/// Whether bytes begin as a TIFF with directories of 32 bits does.
static int is_tiff(const uint8_t *bytes, int *is_big) {
  *is_big = memcmp(bytes, "MM\0*", 4) == 0;
  return *is_big || memcmp(bytes, "II*\0", 4) == 0;
}

// MARK: From a TIFF

typedef struct block {
  int file, is_big;
  uint8_t *bytes;
  uint32_t size;
} block;

static int read_at(const block *to, void *bytes, size_t count, uint32_t offset) {
  return pread(to->file, bytes, count, offset) == (ssize_t)count;
}

/// The entries of the first directory that are not about the pixels and where they are.
static int is_kept(uint32_t tag) {
  switch (tag) {
    case 270: case 271: case 272: case 305: case 306: case 315: case 316: case 33432:  // texts
    case 274: case 282: case 283: case 296:  // orientation, resolution
    case RATING: case RATING_PERCENT: case EXIF_DIRECTORY: case GPS_DIRECTORY: return 1;
    default: return tag >= FIRST_OF_WINDOWS && tag <= LAST_OF_WINDOWS;
  }
}

static uint32_t take_directory(block *to, uint32_t from, int level);

/// Copies an entry, with its values or its directory. 0 if it is left out.
static int take_entry(block *to, const uint8_t *entry, uint8_t *own, int level) {
  const uint32_t tag = get(entry, 2, to->is_big), place = get(entry + 8, 4, to->is_big);
  memcpy(own, entry, ENTRY);
  if (tag == EXIF_DIRECTORY || tag == GPS_DIRECTORY || tag == INTEROPERABILITY_DIRECTORY) {
    // Nowhere else, so that no directory leads back to itself.
    const int is_right = level == (tag == INTEROPERABILITY_DIRECTORY ? 1 : 0);
    const uint32_t directory = is_right ? take_directory(to, place, level + 1) : 0;
    put(own + 2, 2, to->is_big, 4);
    put(own + 4, 4, to->is_big, 1);
    put(own + 8, 4, to->is_big, directory);
    return directory != 0;
  }
  const uint64_t size = value_size(entry, to->is_big);
  if (size <= 4) return size > 0;
  if (size > MOST_VALUE || to->size + size + 1 > MOST_BLOCK) return 0;
  if (!read_at(to, to->bytes + to->size, (size_t)size, place)) return 0;
  put(own + 8, 4, to->is_big, to->size);
  to->size += (uint32_t)(size + size % 2);
  return 1;
}

/// Copies a directory. Its place in the block; 0 if there is none.
static uint32_t take_directory(block *to, uint32_t from, int level) {
  uint8_t head[2], entries[ENTRY * MOST_ENTRIES];
  if (!read_at(to, head, sizeof head, from)) return 0;
  const uint32_t count = get(head, 2, to->is_big);
  if (count > MOST_ENTRIES || !read_at(to, entries, ENTRY * count, from + 2)) return 0;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (level > 0 || is_kept(get(entries + ENTRY * i, 2, to->is_big)))
      memmove(entries + ENTRY * kept++, entries + ENTRY * i, ENTRY);
  // Room for a next directory, of which there is none.
  const uint32_t start = to->size, size = 2 + ENTRY * kept + 4;
  if (kept == 0 || start + size > MOST_BLOCK) return 0;
  to->size += size;
  uint32_t done = 0;
  for (uint32_t i = 0; i < kept; i++)
    if (take_entry(to, entries + ENTRY * i, to->bytes + start + 2 + ENTRY * done, level)) done++;
  put(to->bytes + start, 2, to->is_big, done);
  memset(to->bytes + start + 2 + ENTRY * done, 0, ENTRY * (kept - done) + 4);
  return done > 0 ? start : 0;
}

cp_blob cp_take_exif(int file, uint8_t **bytes) {
  block to = { .file = file, .bytes = calloc(1, MOST_BLOCK), .size = HEADER };
  *bytes = to.bytes;
  if (!to.bytes || !read_at(&to, to.bytes, HEADER, 0) || !is_tiff(to.bytes, &to.is_big)) return (cp_blob){ NULL, 0 };
  const uint32_t first = take_directory(&to, get(to.bytes + 4, 4, to.is_big), 0);
  put(to.bytes + 4, 4, to.is_big, first);
  return (cp_blob){ to.bytes, first ? to.size : 0 };
}

// MARK: To a TIFF

int cp_is_big_exif(cp_blob exif) {
  int is_big = 0;
  return exif.size >= HEADER && is_tiff(exif.bytes, &is_big) && is_big;
}

/// Entries that libtiff does not know by itself: ratings, and the title, comment, author, keywords and subject that
/// Windows writes in UTF-16.
static const TIFFFieldInfo fields[] = {
  { RATING, 1, 1, TIFF_SHORT, FIELD_CUSTOM, 1, 0, "Rating" },
  { RATING_PERCENT, 1, 1, TIFF_SHORT, FIELD_CUSTOM, 1, 0, "RatingPercent" },
  { FIRST_OF_WINDOWS, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_BYTE, FIELD_CUSTOM, 1, 1, "XPTitle" },
  { FIRST_OF_WINDOWS + 1, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_BYTE, FIELD_CUSTOM, 1, 1, "XPComment" },
  { FIRST_OF_WINDOWS + 2, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_BYTE, FIELD_CUSTOM, 1, 1, "XPAuthor" },
  { FIRST_OF_WINDOWS + 3, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_BYTE, FIELD_CUSTOM, 1, 1, "XPKeywords" },
  { LAST_OF_WINDOWS, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_BYTE, FIELD_CUSTOM, 1, 1, "XPSubject" },
};

/// Gives the TIFF an entry of the block's first directory that `is_kept`. Others are about the block.
static void give_entry(TIFF *tiff, cp_blob exif, const uint8_t *entry, int is_big) {
  const uint32_t tag = get(entry, 2, is_big), type = get(entry + 2, 2, is_big);
  const uint64_t size = value_size(entry, is_big), place = get(entry + 8, 4, is_big);
  if (size == 0 || (size > 4 && place + size > exif.size)) return;
  const uint8_t *const value = size > 4 ? exif.bytes + place : entry + 8;
  switch (tag) {
    case 270: case 271: case 272: case 305: case 306: case 315: case 316: case 33432:
      if (type == TIFF_ASCII && value[size - 1] == 0) TIFFSetField(tiff, tag, (const char *)value);
      break;
    case TIFFTAG_XRESOLUTION:
    case TIFFTAG_YRESOLUTION:
      if (type == TIFF_RATIONAL && get(value + 4, 4, is_big) > 0)
        TIFFSetField(tiff, tag, (double)get(value, 4, is_big) / get(value + 4, 4, is_big));
      break;
    case TIFFTAG_RESOLUTIONUNIT: {
      const uint32_t unit = get(value, 2, is_big);
      if (type == TIFF_SHORT && unit >= RESUNIT_NONE && unit <= RESUNIT_CENTIMETER) TIFFSetField(tiff, tag, (int)unit);
      break;
    }
    case RATING:
    case RATING_PERCENT:
      if (type == TIFF_SHORT) TIFFSetField(tiff, tag, (int)get(value, 2, is_big));
      break;
    case EXIF_DIRECTORY:
    case GPS_DIRECTORY:
      if (type == TIFF_LONG && get(value, 4, is_big) >= HEADER)
        TIFFSetField(tiff, tag, (uint64_t)get(value, 4, is_big));
      break;
    default:
      if (is_kept(tag) && type == TIFF_BYTE) TIFFSetField(tiff, tag, (uint32_t)size, value);
      break;
  }
}

int cp_give_exif(TIFF *tiff, int file, cp_blob exif) {
  int is_big;
  if (exif.size < HEADER || !is_tiff(exif.bytes, &is_big)) return 1;
  const uint64_t first = get(exif.bytes + 4, 4, is_big);
  if (first + 2 > exif.size) return 1;
  const uint64_t count = get(exif.bytes + first, 2, is_big);
  if (first + 2 + ENTRY * count > exif.size) return 1;
  // Behind the header, where it has the place that it has in the block: every offset in it stays right.
  const ssize_t rest = (ssize_t)(exif.size - HEADER);
  TIFFMergeFieldInfo(tiff, fields, sizeof fields / sizeof fields[0]);
  if (pwrite(file, exif.bytes + HEADER, (size_t)rest, HEADER) != rest) return 0;
  for (uint64_t i = 0; i < count; i++) give_entry(tiff, exif, exif.bytes + first + 2 + ENTRY * i, is_big);
  return 1;
}
