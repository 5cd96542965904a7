#include <sys/mman.h>

#include "ck_internal.h"

size_t ck_cell_count(int32_t size) { return (size_t)size * (size_t)size * (size_t)size; }

void ck_fill_cells(const int16_t *points, int32_t size, int16_t *cells) {
  for (int32_t b = 0; b < size; b++)
    for (int32_t g = 0; g < size; g++)
      for (int32_t r = 0; r < size; r++, cells += 32)
        for (int corner = 0; corner < 8; corner++) {
          const int32_t red = r + (corner & 1), green = g + (corner >> 1 & 1), blue = b + (corner >> 2);
          const int inside = red < size && green < size && blue < size;
          const int16_t *point = points + 4 * (red + (ptrdiff_t)size * (green + (ptrdiff_t)size * blue));
          for (int component = 0; component < 4; component++)
            cells[8 * component + corner] = inside ? point[component] : 0;
        }
}

void ck_prefer_large_pages(void *memory, size_t bytes) {
#if defined(MADV_HUGEPAGE)
  // A system without them keeps its small ones: slower, and right.
  (void)madvise(memory, bytes, MADV_HUGEPAGE);
#else
  (void)memory, (void)bytes;
#endif
}
