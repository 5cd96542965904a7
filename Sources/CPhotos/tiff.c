#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

#include "cp_internal.h"

/// libtiff calls this for an error, and then returns a value that says so. The first one counts.
static int note(TIFF *tiff, void *context, const char *module, const char *format, va_list values) {
  (void)tiff, (void)module;
  cp_failure *const failure = context;
  if (failure->text[0]) return 1;
  const int number = errno;
  vsnprintf(failure->text, sizeof failure->text, format, values);
  failure->number = number;
  return 1;
}

static int ignore(TIFF *tiff, void *context, const char *module, const char *format, va_list values) {
  (void)tiff, (void)context, (void)module, (void)format, (void)values;
  return 1;
}

static TIFFOpenOptions *options(cp_failure *said) {
  TIFFOpenOptions *const options = TIFFOpenOptionsAlloc();
  if (!options) return NULL;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, CP_MAX_WHOLE);
  TIFFOpenOptionsSetErrorHandlerExtR(options, note, said);
  TIFFOpenOptionsSetWarningHandlerExtR(options, ignore, NULL);
  return options;
}

// MARK: Reading

typedef struct reader {
  cp_reader base;
  TIFF *tiff;
  cp_failure said;
  int32_t next, height, width;
  size_t row_bytes, pixel_bytes;
  uint32_t tile_width, tile_height;  ///< 0: the picture is in strips
  uint8_t *tile, *tiles;             ///< a tile, and the rows of a row of tiles
  uint8_t *exif;
} reader;

static void close_reader(cp_reader *base) {
  reader *const own = (reader *)base;
  if (own->tiff) TIFFClose(own->tiff);
  free(own->tile);
  free(own->tiles);
  free(own->exif);
  free(own);
}

static int read_tiles(reader *own) {
  for (uint32_t left = 0; left < (uint32_t)own->width; left += own->tile_width) {
    if (TIFFReadTile(own->tiff, own->tile, left, (uint32_t)own->next, 0, 0) < 0) return 0;
    const uint32_t rest = (uint32_t)own->width - left;
    const size_t bytes = (rest < own->tile_width ? rest : own->tile_width) * own->pixel_bytes;
    for (uint32_t row = 0; row < own->tile_height; row++)
      memcpy(
          own->tiles + row * own->row_bytes + left * own->pixel_bytes,
          own->tile + (size_t)row * own->tile_width * own->pixel_bytes, bytes);
  }
  return 1;
}

static int read_rows(cp_reader *base, int32_t count, void *rows, cp_failure *failure) {
  reader *const own = (reader *)base;
  for (int32_t row = 0; row < count; row++, own->next++) {
    uint8_t *const to = (uint8_t *)rows + (size_t)row * own->row_bytes;
    int is_read = 1;
    if (own->tile_height == 0) {
      is_read = TIFFReadScanline(own->tiff, to, (uint32_t)own->next, 0) == 1;
    } else {
      const uint32_t place = (uint32_t)own->next % own->tile_height;
      if (place == 0) is_read = read_tiles(own);
      memcpy(to, own->tiles + place * own->row_bytes, own->row_bytes);
    }
    if (!is_read) return cp_fail(failure, CP_DAMAGED, 0, own->said.text);
  }
  return 1;
}

static int check_kind(TIFF *tiff, cp_facts *facts, cp_failure *failure) {
  uint16_t bits = 1, samples = 1, planes = PLANARCONFIG_CONTIG, format = SAMPLEFORMAT_UINT, photometric = 0;
  uint16_t compression = COMPRESSION_NONE;
  uint32_t subfile = 0;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planes);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &subfile);
  // The first picture in many cameras' raw files.
  if (subfile & FILETYPE_REDUCEDIMAGE)
    return cp_fail(failure, CP_KIND, 0, "a small copy of another picture, as in raw files");
  if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric)) return cp_fail(failure, CP_KIND, 0, "unknown colours");
  if (!TIFFIsCODECConfigured(compression)) return cp_fail(failure, CP_KIND, 0, "a rare compression");
  switch (photometric) {
    case PHOTOMETRIC_MINISBLACK: facts->channels = 1; break;
    case PHOTOMETRIC_RGB: facts->channels = 3; break;
    case PHOTOMETRIC_YCBCR:
      if (compression != COMPRESSION_JPEG) return cp_fail(failure, CP_KIND, 0, "Y′CbCr");
      TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
      facts->channels = 3;
      break;
    case PHOTOMETRIC_SEPARATED: return cp_fail(failure, CP_CMYK, 0, "");
    case PHOTOMETRIC_PALETTE: return cp_fail(failure, CP_KIND, 0, "a palette");
    case PHOTOMETRIC_MINISWHITE: return cp_fail(failure, CP_KIND, 0, "white as 0");
    default: return cp_fail(failure, CP_KIND, 0, "Lab or other colours");
  }
  if (bits != 8 && bits != 16) return cp_fail(failure, CP_DEPTH, bits, "");
  if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID)
    return cp_fail(failure, CP_KIND, 0, "numbers with a sign or a point");
  if (samples > facts->channels) return cp_fail(failure, CP_TRANSPARENT, 0, "");
  if (samples < facts->channels) return cp_fail(failure, CP_DAMAGED, 0, "a channel is missing");
  if (planes != PLANARCONFIG_CONTIG && samples > 1) return cp_fail(failure, CP_KIND, 0, "a plane for each channel");
  facts->bits = bits;
  return 1;
}

static int begin(reader *own, cp_facts *facts, cp_failure *failure) {
  TIFF *const tiff = own->tiff;
  uint32_t width = 0, height = 0;
  if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width) || !TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height))
    return cp_fail(failure, CP_DAMAGED, 0, "it has no size");
  if (!cp_check_sides(width, height, failure) || !check_kind(tiff, facts, failure)) return 0;
  facts->format = CP_TIFF;
  facts->width = own->width = (int32_t)width;
  facts->height = own->height = (int32_t)height;
  own->pixel_bytes = (size_t)(facts->channels * facts->bits / 8);
  own->row_bytes = cp_row_bytes(facts);

  uint32_t size = 0;
  void *bytes = NULL;
  if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &size, &bytes)) facts->icc = (cp_blob){ bytes, size };
  if (TIFFGetField(tiff, TIFFTAG_XMLPACKET, &size, &bytes)) facts->xmp = (cp_blob){ bytes, size };
  uint16_t orientation = 1;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
  facts->orientation = orientation;
  facts->exif = cp_take_exif(TIFFFileno(tiff), &own->exif);

  if (!TIFFIsTiled(tiff)) {
    if ((size_t)TIFFScanlineSize64(tiff) != own->row_bytes) return cp_fail(failure, CP_KIND, 0, "an unknown layout");
    return 1;
  }
  TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &own->tile_width);
  TIFFGetField(tiff, TIFFTAG_TILELENGTH, &own->tile_height);
  const uint64_t tile_bytes = (uint64_t)own->tile_width * own->tile_height * own->pixel_bytes;
  if (tile_bytes == 0 || TIFFTileSize64(tiff) != tile_bytes) return cp_fail(failure, CP_DAMAGED, 0, "its tiles");
  const uint64_t row_of_tiles = (uint64_t)own->row_bytes * own->tile_height;
  if (tile_bytes > CP_MAX_WHOLE || row_of_tiles > CP_MAX_WHOLE)
    return cp_fail(failure, CP_WHOLE, 0, "a TIFF with large tiles");
  own->tile = malloc(tile_bytes);
  own->tiles = malloc(row_of_tiles);
  return own->tile && own->tiles ? 1 : cp_fail(failure, CP_NO_MEMORY, 0, "");
}

cp_reader *cp_open_tiff(const char *path, cp_facts *facts, cp_failure *failure) {
  reader *const own = calloc(1, sizeof *own);
  TIFFOpenOptions *const settings = own ? options(&own->said) : NULL;
  if (!settings) {
    free(own);
    cp_fail(failure, CP_NO_MEMORY, 0, "");
    return NULL;
  }
  own->base = (cp_reader){ read_rows, close_reader, 0 };
  // m: without mapping the file, which another program may shorten.
  own->tiff = TIFFOpenExt(path, "rm", settings);
  TIFFOpenOptionsFree(settings);
  if (!own->tiff)
    cp_fail(failure, CP_DAMAGED, 0, own->said.text);
  else if (begin(own, facts, failure))
    return &own->base;
  close_reader(&own->base);
  return NULL;
}

// MARK: Writing

typedef struct writer {
  cp_writer base;
  TIFF *tiff;
  cp_failure said;
  int32_t next;
  size_t row_bytes;
  uint8_t *row;  ///< libtiff changes what it is given
} writer;

static int write_rows(cp_writer *base, int32_t count, const void *rows, cp_failure *failure) {
  writer *const own = (writer *)base;
  for (int32_t row = 0; row < count; row++, own->next++) {
    memcpy(own->row, (const uint8_t *)rows + (size_t)row * own->row_bytes, own->row_bytes);
    if (TIFFWriteScanline(own->tiff, own->row, (uint32_t)own->next, 0) != 1)
      return cp_fail(failure, CP_NOT_WRITTEN, own->said.number, own->said.text);
  }
  return 1;
}

static int finish_writer(cp_writer *base, cp_failure *failure) {
  writer *const own = (writer *)base;
  int is_written = failure != NULL;
  if (is_written && (TIFFFlush(own->tiff) != 1 || own->said.text[0]))
    is_written = cp_fail(failure, CP_NOT_WRITTEN, own->said.number, own->said.text);
  if (own->tiff) TIFFClose(own->tiff);
  free(own->row);
  free(own);
  return is_written;
}

static int start(TIFF *tiff, const cp_facts *facts) {
  // Strips of about 256 KiB.
  const uint32_t rows = (uint32_t)((1u << 18) / cp_row_bytes(facts));
  return TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)facts->width)
    && TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)facts->height)
    && TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 3) && TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, facts->bits)
    && TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB)
    && TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG)
    && TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE)
    && TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL)
    && TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, rows > 0 ? rows : 1)
    && TIFFSetField(tiff, TIFFTAG_ORIENTATION, facts->orientation > 0 ? facts->orientation : 1)
    && (facts->icc.size == 0 || TIFFSetField(tiff, TIFFTAG_ICCPROFILE, (uint32_t)facts->icc.size, facts->icc.bytes))
    && (facts->xmp.size == 0 || TIFFSetField(tiff, TIFFTAG_XMLPACKET, (uint32_t)facts->xmp.size, facts->xmp.bytes));
}

cp_writer *cp_create_tiff(int file, const cp_facts *facts, cp_failure *failure) {
  writer *const own = calloc(1, sizeof *own);
  TIFFOpenOptions *const settings = own ? options(&own->said) : NULL;
  if (settings) own->row = malloc(cp_row_bytes(facts));
  if (!settings || !own->row) {
    if (settings) TIFFOpenOptionsFree(settings);
    free(own);
    cp_fail(failure, CP_NO_MEMORY, 0, "");
    return NULL;
  }
  own->base = (cp_writer){ write_rows, finish_writer };
  own->row_bytes = cp_row_bytes(facts);
  const int other = dup(file);
  const char *const mode = facts->exif.size == 0 ? "w" : cp_is_big_exif(facts->exif) ? "wb" : "wl";
  own->tiff = other < 0 ? NULL : TIFFFdOpenExt(other, "picture", mode, settings);
  if (!own->tiff && other >= 0) close(other);
  TIFFOpenOptionsFree(settings);
  if (own->tiff && cp_give_exif(own->tiff, file, facts->exif) && start(own->tiff, facts)) return &own->base;
  cp_fail(failure, CP_NOT_WRITTEN, own->said.number ? own->said.number : errno, own->said.text);
  finish_writer(&own->base, NULL);
  return NULL;
}
