#include <errno.h>
#include <string.h>

#include "cp_internal.h"

int cp_fail(cp_failure *failure, cp_problem problem, int32_t number, const char *text) {
  failure->problem = problem;
  failure->number = number;
  snprintf(failure->text, sizeof failure->text, "%s", text ? text : "");
  for (char *at = failure->text; *at; at++)
    if (*at == '\n' || *at == '\r') *at = ' ';
  return 0;
}

int cp_check_sides(int64_t width, int64_t height, cp_failure *failure) {
  if (width >= 1 && height >= 1 && width <= CP_MAX_SIDE && height <= CP_MAX_SIDE) return 1;
  char text[64];
  snprintf(text, sizeof text, "%lld × %lld", (long long)width, (long long)height);
  return cp_fail(failure, CP_SIDE, 0, text);
}

cp_reader *cp_open(const char *path, cp_facts *facts, cp_failure *failure) {
  memset(facts, 0, sizeof *facts);
  memset(failure, 0, sizeof *failure);
  FILE *const file = fopen(path, "rbe");
  if (!file) {
    cp_fail(failure, CP_NOT_OPENED, errno, "");
    return NULL;
  }
  uint8_t head[8] = { 0 };
  const size_t count = fread(head, 1, sizeof head, file);
  rewind(file);
  if (count >= 3 && memcmp(head, "\xff\xd8\xff", 3) == 0) return cp_open_jpeg(file, facts, failure);
  if (count == 8 && memcmp(head, "\x89PNG\r\n\x1a\n", 8) == 0) return cp_open_png(file, facts, failure);
  fclose(file);
  // The second number is 42 in a TIFF, and 43 in a BigTIFF.
  const int little = memcmp(head, "II", 2) == 0 && (head[2] == 42 || head[2] == 43) && head[3] == 0;
  const int big = memcmp(head, "MM", 2) == 0 && head[2] == 0 && (head[3] == 42 || head[3] == 43);
  if (little || big) return cp_open_tiff(path, facts, failure);
  cp_fail(failure, CP_NO_PICTURE, 0, "");
  return NULL;
}

int cp_read(cp_reader *reader, int32_t count, void *rows, cp_failure *failure) {
  return reader->read(reader, count, rows, failure);
}

int64_t cp_stray_bytes(const cp_reader *reader) { return reader->stray_bytes; }

void cp_close(cp_reader *reader) { reader->close(reader); }

cp_writer *cp_create(int file, const cp_facts *facts, int quality, cp_failure *failure) {
  memset(failure, 0, sizeof *failure);
  switch (facts->format) {
    case CP_JPEG: return cp_create_jpeg(file, facts, quality, failure);
    case CP_PNG: return cp_create_png(file, facts, failure);
    default: return cp_create_tiff(file, facts, failure);
  }
}

int cp_write(cp_writer *writer, int32_t count, const void *rows, cp_failure *failure) {
  return writer->write(writer, count, rows, failure);
}

int cp_finish(cp_writer *writer, cp_failure *failure) { return writer->finish(writer, failure); }

void cp_abandon(cp_writer *writer) { (void)writer->finish(writer, NULL); }
