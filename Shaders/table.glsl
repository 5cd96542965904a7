// Through a table: coordinates_c.c, lattice16_c.c and wide_c.c in GLSL.

layout(std430, binding = 2) readonly buffer Narrow { uvec2 narrow_points[]; };
layout(std430, binding = 2) readonly buffer Broad { ivec4 broad_points[]; };
layout(std430, binding = 3) readonly buffer Shaper { int shaper_points[]; };

// MARK: Coordinates

const int COORDINATE_SHIFT = 15;

ivec3 coordinates(int y, ivec2 chroma) {
  const ivec3 low = y * ivec3(RED_Y_LOW, GREEN_Y_LOW, BLUE_Y_LOW)
    + chroma.x * ivec3(RED_CB_LOW, GREEN_CB_LOW, BLUE_CB_LOW)
    + chroma.y * ivec3(RED_CR_LOW, GREEN_CR_LOW, BLUE_CR_LOW) + ivec3(RED_ADD_LOW, GREEN_ADD_LOW, BLUE_ADD_LOW);
  const ivec3 high = y * ivec3(RED_Y_HIGH, GREEN_Y_HIGH, BLUE_Y_HIGH)
    + chroma.x * ivec3(RED_CB_HIGH, GREEN_CB_HIGH, BLUE_CB_HIGH)
    + chroma.y * ivec3(RED_CR_HIGH, GREEN_CR_HIGH, BLUE_CR_HIGH)
    + ivec3(RED_ADD_HIGH, GREEN_ADD_HIGH, BLUE_ADD_HIGH);
  return clamp(high + (low >> COORDINATE_SHIFT), 0, COORDINATE_MAX);
}

ivec3 shaped(ivec3 at) {
  const ivec3 index = (at >> SHAPER_BITS) + ivec3(0, SHAPER_POINTS, 2 * SHAPER_POINTS);
  const ivec3 fraction = at & ((1 << SHAPER_BITS) - 1);
  ivec3 result;
  for (int channel = 0; channel < 3; channel++) {
    const int here = shaper_points[index[channel]], next = shaper_points[index[channel] + 1];
    // Their difference may have 33 bits; that of the products has fewer than 64.
    const Wide rise = minus(product(ivec3(next), fraction[channel]), product(ivec3(here), fraction[channel]));
    const int half_step = SHAPER_DROP == 0 ? 0 : 1 << (SHAPER_DROP - 1);
    result[channel] = (here + shifted(rise, SHAPER_BITS).x + half_step) >> SHAPER_DROP;
  }
  return clamp(result, 0, SHAPER_MAX);
}

// MARK: Points of 16 bits, sums of 32

const int NARROW_BITS = 14, ONE = 1 << NARROW_BITS, FRACTION = ONE - 1, WAY_BITS = 17, WAY = (1 << WAY_BITS) - 1;

int corner(ivec3 at, int bits) {
  const ivec3 cell = at >> bits;
  return cell.x + SIZE * (cell.y + SIZE * cell.z);
}

ivec3 weighted(int index, int weight) {
  const ivec2 point = ivec2(narrow_points[index]);
  return ivec3(bitfieldExtract(point.x, 0, 16), point.x >> 16, bitfieldExtract(point.y, 0, 16)) * weight;
}

ivec3 tetrahedral_narrow(ivec3 at) {
  // A fraction above, the way to the next point along its axis below: sorting these sorts both.
  const uvec3 key = uvec3(at & FRACTION) << WAY_BITS | uvec3(1, SIZE, SIZE * SIZE);
  const uint top = max(key.x, key.y), rest = min(key.x, key.y);
  const uint high = max(top, key.z), low = min(rest, key.z), middle = max(rest, min(top, key.z));
  const int f1 = int(high >> WAY_BITS), f2 = int(middle >> WAY_BITS), f3 = int(low >> WAY_BITS);
  const int p0 = corner(at, NARROW_BITS), p3 = p0 + 1 + SIZE + SIZE * SIZE;
  return weighted(p0, ONE - f1) + weighted(p0 + int(high & WAY), f1 - f2) + weighted(p3 - int(low & WAY), f2 - f3)
    + weighted(p3, f3);
}

ivec3 trilinear_narrow(ivec3 at) {
  const ivec3 f = at & FRACTION;
  const int both = (f.x * f.y + ONE / 2) >> NARROW_BITS, near = corner(at, NARROW_BITS);
  const ivec4 square = ivec4(ONE - f.x - f.y + both, f.x - both, f.y - both, both);
  const ivec4 share = (square * f.z + ONE / 2) >> NARROW_BITS;
  const ivec4 place = near + ivec4(0, 1, SIZE, SIZE + 1);
  ivec3 sum = ivec3(0);
  for (int i = 0; i < 4; i++)
    sum += weighted(place[i], square[i] - share[i]) + weighted(place[i] + SIZE * SIZE, share[i]);
  return sum;
}

// MARK: Points of 32 bits, sums of 64

Wide broad_weighted(int index, int weight) { return product(broad_points[index].xyz, weight); }

Wide tetrahedral_broad(ivec3 at) {
  const int whole = 1 << BITS;
  const ivec3 f = at & (whole - 1);
  ivec2 a = ivec2(f.x, 1), b = ivec2(f.y, SIZE), c = ivec2(f.z, SIZE * SIZE), swap;
  if (a.x < b.x) { swap = a; a = b; b = swap; }
  if (b.x < c.x) { swap = b; b = c; c = swap; }
  if (a.x < b.x) { swap = a; a = b; b = swap; }
  int place = corner(at, BITS);
  Wide sum = broad_weighted(place, whole - a.x);
  sum = plus(sum, broad_weighted(place += a.y, a.x - b.x));
  sum = plus(sum, broad_weighted(place += b.y, b.x - c.x));
  return plus(sum, broad_weighted(place + c.y, c.x));
}

Wide trilinear_broad(ivec3 at) {
  const int whole = 1 << BITS;
  const ivec3 f = at & (whole - 1);
  const int both = rounded_product(f.x, f.y, BITS), near = corner(at, BITS);
  const ivec4 square = ivec4(whole - f.x - f.y + both, f.x - both, f.y - both, both);
  const ivec4 place = near + ivec4(0, 1, SIZE, SIZE + 1);
  Wide sum = Wide(ivec3(0), uvec3(0));
  for (int i = 0; i < 4; i++) {
    const int far = rounded_product(square[i], f.z, BITS);
    sum = plus(sum, broad_weighted(place[i], square[i] - far));
    sum = plus(sum, broad_weighted(place[i] + SIZE * SIZE, far));
  }
  return sum;
}

Wide curves(ivec3 at) {
  const int whole = 1 << BITS;
  Wide sum = Wide(ivec3(0), uvec3(0));
  for (int channel = 0; channel < 3; channel++) {
    const int place = channel * (SIZE + 1) + (at[channel] >> BITS), fraction = at[channel] & (whole - 1);
    sum = plus(sum, broad_weighted(place, whole - fraction));
    sum = plus(sum, broad_weighted(place + 1, fraction));
  }
  return sum;
}

// MARK: Pairs of pixels

// A luma threshold below the code that `Y_SHIFT` leaves.
Wide broad_threshold(int threshold) {
  return Y_SHIFT < ROUNDING_BITS
    ? scaled(threshold >> (ROUNDING_BITS - Y_SHIFT), 0)
    : scaled(threshold, Y_SHIFT - ROUNDING_BITS);
}

// Two pixels that share their chroma: their luma codes, and the sum of their Cb and Cr.
void through_table(ivec2 y_in, ivec2 chroma_in, ivec2 thresholds, out ivec2 y, out ivec2 chroma) {
  ivec3 one = coordinates(y_in.x, chroma_in), two = coordinates(y_in.y, chroma_in);
  if (HAS_SHAPER != 0) {
    one = shaped(one);
    two = shaped(two);
  }
  if (INTERPOLATION == TETRAHEDRAL_16 || INTERPOLATION == TRILINEAR_16) {
    const bool is_tetrahedral = INTERPOLATION == TETRAHEDRAL_16;
    const ivec3 a = is_tetrahedral ? tetrahedral_narrow(one) : trilinear_narrow(one);
    const ivec3 b = is_tetrahedral ? tetrahedral_narrow(two) : trilinear_narrow(two);
    y = clamp((ivec2(a.x, b.x) + Y_ADD_LOW + (thresholds << (Y_SHIFT - ROUNDING_BITS))) >> Y_SHIFT, 0, TO_MAX);
    chroma = a.yz + b.yz;
    return;
  }
  Wide a, b;
  if (INTERPOLATION == TETRAHEDRAL_32) {
    a = tetrahedral_broad(one);
    b = tetrahedral_broad(two);
  } else if (INTERPOLATION == TRILINEAR_32) {
    a = trilinear_broad(one);
    b = trilinear_broad(two);
  } else {
    a = curves(one);
    b = curves(two);
  }
  const Wide add = Wide(ivec3(Y_ADD_HIGH), uvec3(Y_ADD_LOW));
  const Wide first = plus(plus(a, add), broad_threshold(thresholds.x));
  const Wide second = plus(plus(b, add), broad_threshold(thresholds.y));
  y = ivec2(
    clamped(first.high.x, first.low.x, Y_SHIFT, TO_MAX), clamped(second.high.x, second.low.x, Y_SHIFT, TO_MAX));
  chroma = shifted(plus(a, b), CHROMA_DROP).yz;
}

// Two rows' sums to codes.
ivec2 averaged(ivec2 a, ivec2 b, int threshold) {
  return clamp((a + b + CHROMA_ADD + (threshold << CHROMA_SHIFT >> ROUNDING_BITS)) >> CHROMA_SHIFT, 0, TO_MAX);
}
