// Without a table: linear_c.c in GLSL.

const int RESCALE_SHIFT = 24, RESCALE_BIAS = 4096, MATRIX_SHIFT = 18;

int rescaled(int a, int b, int mul, int add_low, int add_high, int threshold) {
  uint high, low, carry, second_carry;
  umulExtended(uint(a + b), uint(mul), high, low);
  low = uaddCarry(low, uint(add_low), carry);
  low = uaddCarry(low, uint(threshold) << (RESCALE_SHIFT - ROUNDING_BITS), second_carry);
  high += uint(add_high) + carry + second_carry;
  return clamp(int(low >> RESCALE_SHIFT | high << (32 - RESCALE_SHIFT)) - RESCALE_BIAS, 0, TO_MAX);
}

int linear_luma(int y, ivec2 chroma, int threshold) {
  if (OPERATION == RESCALE) return rescaled(y, y, LUMA_MUL, LUMA_ADD_LOW, LUMA_ADD_HIGH, threshold);
  const int sum = y * Y_BY_Y + chroma.x * Y_BY_CB + chroma.y * Y_BY_CR + Y_BY_ONE;
  return clamp((sum + (threshold << (MATRIX_SHIFT - ROUNDING_BITS))) >> MATRIX_SHIFT, 0, TO_MAX);
}

// The average of two chroma samples.
ivec2 linear_chroma(ivec2 a, ivec2 b, int threshold) {
  if (OPERATION == RESCALE)
    return ivec2(
      rescaled(a.x, b.x, CHROMA_MUL, CHROMA_ADD_LOW, CHROMA_ADD_HIGH, threshold),
      rescaled(a.y, b.y, CHROMA_MUL, CHROMA_ADD_LOW, CHROMA_ADD_HIGH, threshold));
  const ivec2 both = a + b;
  const ivec2 sum =
    ivec2(both.x * CB_BY_CB + both.y * CB_BY_CR + CB_BY_ONE, both.x * CR_BY_CB + both.y * CR_BY_CR + CR_BY_ONE);
  return clamp((sum + (threshold << (MATRIX_SHIFT - ROUNDING_BITS))) >> MATRIX_SHIFT, 0, TO_MAX);
}
