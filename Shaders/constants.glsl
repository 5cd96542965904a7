// What a bake is prepared with: constants when the pipeline is made, so that only the way that is taken remains.
// Numbers and names are those of CKernels.h; `ShaderConstants` fills them in this order.

// The picture.
layout(constant_id = 0) const int WIDTH = 2;
layout(constant_id = 1) const int HEIGHT = 2;

// Where samples come from: first byte, bytes from sample to sample, bytes from row to row.
layout(constant_id = 2) const int FROM_Y = 0;
layout(constant_id = 3) const int FROM_Y_STEP = 1;
layout(constant_id = 4) const int FROM_Y_STRIDE = 64;
layout(constant_id = 5) const int FROM_CB = 0;
layout(constant_id = 6) const int FROM_CB_STEP = 1;
layout(constant_id = 7) const int FROM_CB_STRIDE = 64;
layout(constant_id = 8) const int FROM_CR = 0;
layout(constant_id = 9) const int FROM_CR_STEP = 1;
layout(constant_id = 10) const int FROM_CR_STRIDE = 64;
layout(constant_id = 11) const int FROM_BYTES = 1;
layout(constant_id = 12) const int FROM_SHIFT = 0;
layout(constant_id = 13) const int FROM_MAX = 255;
layout(constant_id = 14) const int FROM_CHROMA_ROWS = 2;

// Where samples go: plane, first byte in a row of it, bytes from sample to sample; then the planes.
layout(constant_id = 15) const int TO_Y_PLANE = 0;
layout(constant_id = 16) const int TO_Y_OFFSET = 0;
layout(constant_id = 17) const int TO_Y_STEP = 1;
layout(constant_id = 18) const int TO_CB_PLANE = 1;
layout(constant_id = 19) const int TO_CB_OFFSET = 0;
layout(constant_id = 20) const int TO_CB_STEP = 1;
layout(constant_id = 21) const int TO_CR_PLANE = 2;
layout(constant_id = 22) const int TO_CR_OFFSET = 0;
layout(constant_id = 23) const int TO_CR_STEP = 1;
layout(constant_id = 24) const int TO_SHIFT = 0;
layout(constant_id = 25) const int TO_CHROMA_ROWS = 2;
layout(constant_id = 26) const int TO_MAX = 255;
layout(constant_id = 27) const int TO_PLANES = 3;
layout(constant_id = 28) const int TO_BASE_0 = 0;
layout(constant_id = 29) const int TO_STRIDE_0 = 64;
layout(constant_id = 30) const int TO_BASE_1 = 0;
layout(constant_id = 31) const int TO_STRIDE_1 = 64;
layout(constant_id = 32) const int TO_BASE_2 = 0;
layout(constant_id = 33) const int TO_STRIDE_2 = 64;

// What is done.
const int RESCALE = 0, MATRIX = 1, TABLE = 2;
layout(constant_id = 34) const int OPERATION = RESCALE;
layout(constant_id = 35) const int KEEPS_CODES = 1;
const int TETRAHEDRAL_16 = 0, TRILINEAR_16 = 1, TETRAHEDRAL_32 = 2, TRILINEAR_32 = 3, CURVES = 4;
layout(constant_id = 36) const int INTERPOLATION = TETRAHEDRAL_16;
layout(constant_id = 37) const int HAS_SHAPER = 0;

// Rescaling: 64-bit addends in two words.
layout(constant_id = 38) const int LUMA_MUL = 0;
layout(constant_id = 39) const int LUMA_ADD_LOW = 0;
layout(constant_id = 40) const int LUMA_ADD_HIGH = 0;
layout(constant_id = 41) const int CHROMA_MUL = 0;
layout(constant_id = 42) const int CHROMA_ADD_LOW = 0;
layout(constant_id = 43) const int CHROMA_ADD_HIGH = 0;

// Another matrix.
layout(constant_id = 44) const int Y_BY_Y = 0;
layout(constant_id = 45) const int Y_BY_CB = 0;
layout(constant_id = 46) const int Y_BY_CR = 0;
layout(constant_id = 47) const int Y_BY_ONE = 0;
layout(constant_id = 48) const int CB_BY_CB = 0;
layout(constant_id = 49) const int CB_BY_CR = 0;
layout(constant_id = 50) const int CB_BY_ONE = 0;
layout(constant_id = 51) const int CR_BY_CB = 0;
layout(constant_id = 52) const int CR_BY_CR = 0;
layout(constant_id = 53) const int CR_BY_ONE = 0;

// Coordinates: whole and fractional part of each coefficient; red, green, blue.
layout(constant_id = 54) const int RED_Y_HIGH = 0;
layout(constant_id = 55) const int GREEN_Y_HIGH = 0;
layout(constant_id = 56) const int BLUE_Y_HIGH = 0;
layout(constant_id = 57) const int RED_Y_LOW = 0;
layout(constant_id = 58) const int GREEN_Y_LOW = 0;
layout(constant_id = 59) const int BLUE_Y_LOW = 0;
layout(constant_id = 60) const int RED_CB_HIGH = 0;
layout(constant_id = 61) const int GREEN_CB_HIGH = 0;
layout(constant_id = 62) const int BLUE_CB_HIGH = 0;
layout(constant_id = 63) const int RED_CB_LOW = 0;
layout(constant_id = 64) const int GREEN_CB_LOW = 0;
layout(constant_id = 65) const int BLUE_CB_LOW = 0;
layout(constant_id = 66) const int RED_CR_HIGH = 0;
layout(constant_id = 67) const int GREEN_CR_HIGH = 0;
layout(constant_id = 68) const int BLUE_CR_HIGH = 0;
layout(constant_id = 69) const int RED_CR_LOW = 0;
layout(constant_id = 70) const int GREEN_CR_LOW = 0;
layout(constant_id = 71) const int BLUE_CR_LOW = 0;
layout(constant_id = 72) const int RED_ADD_HIGH = 0;
layout(constant_id = 73) const int GREEN_ADD_HIGH = 0;
layout(constant_id = 74) const int BLUE_ADD_HIGH = 0;
layout(constant_id = 75) const int RED_ADD_LOW = 0;
layout(constant_id = 76) const int GREEN_ADD_LOW = 0;
layout(constant_id = 77) const int BLUE_ADD_LOW = 0;
layout(constant_id = 78) const int COORDINATE_MAX = 0;

// The curves before a lattice.
layout(constant_id = 79) const int SHAPER_BITS = 0;
layout(constant_id = 80) const int SHAPER_DROP = 0;
layout(constant_id = 81) const int SHAPER_MAX = 0;
layout(constant_id = 82) const int SHAPER_POINTS = 0;

// The table, and the way from its sums to codes.
layout(constant_id = 83) const int SIZE = 2;
layout(constant_id = 84) const int BITS = 14;
layout(constant_id = 85) const int Y_ADD_LOW = 0;
layout(constant_id = 86) const int Y_ADD_HIGH = 0;
layout(constant_id = 87) const int Y_SHIFT = 0;
layout(constant_id = 88) const int CHROMA_DROP = 0;
layout(constant_id = 89) const int CHROMA_ADD = 0;
layout(constant_id = 90) const int CHROMA_SHIFT = 0;

// Whether results are rounded by a pattern (`Dither.ordered`) instead of to the nearest.
layout(constant_id = 91) const int DITHERS = 0;
