// Every result is rounded by adding a threshold before what is below the point is dropped: `Dither.threshold` in GLSL.

const int ROUNDING_BITS = 7;

// In 2^-ROUNDING_BITS of a code, for the sample at a column and row of its own component.
int threshold(int column, int row) {
  if (DITHERS == 0) return 1 << (ROUNDING_BITS - 1);
  int rank = 0;
  for (int bit = 0; bit < 3; bit++) {
    const int x = column >> bit & 1, y = row >> bit & 1;
    rank = rank << 2 | (x ^ y) << 1 | y;
  }
  return 2 * rank + 1;
}
