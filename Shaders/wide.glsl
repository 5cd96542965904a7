// Signed integers of 64 bits in two words, so that no device needs to have them. Three at a time: Y', Cb, Cr.

struct Wide {
  ivec3 high;
  uvec3 low;
};

Wide product(ivec3 a, int b) {
  ivec3 high, low;
  imulExtended(a, ivec3(b), high, low);
  return Wide(high, uvec3(low));
}

Wide plus(Wide a, Wide b) {
  uvec3 carry;
  const uvec3 low = uaddCarry(a.low, b.low, carry);
  return Wide(a.high + b.high + ivec3(carry), low);
}

Wide minus(Wide a, Wide b) {
  uvec3 borrow;
  const uvec3 low = usubBorrow(a.low, b.low, borrow);
  return Wide(a.high - b.high - ivec3(borrow), low);
}

// value · 2^bits in all three, 0 ≤ value < 2^7, 0 ≤ bits < 56.
Wide scaled(int value, int bits) {
  if (bits == 0) return Wide(ivec3(0), uvec3(value));
  if (bits < 32) return Wide(ivec3(value >> (32 - bits)), uvec3(value) << bits);
  return Wide(ivec3(value << (bits - 32)), uvec3(0));
}

// The low word of value >> bits, 0 ≤ bits < 64.
ivec3 shifted(Wide value, int bits) {
  if (bits == 0) return ivec3(value.low);
  if (bits < 32) return ivec3(value.low >> bits | uvec3(value.high) << (32 - bits));
  return value.high >> (bits - 32);
}

// value >> bits between 0 and `most`, of one component.
int clamped(int high, uint low, int bits, int most) {
  if (high < 0) return 0;
  const uint above = bits < 32 ? uint(high) >> bits : 0;
  const uint word = bits == 0 ? low : bits < 32 ? low >> bits | uint(high) << (32 - bits) : uint(high) >> (bits - 32);
  return above != 0 || word > uint(most) ? most : int(word);
}

// (a · b + half) >> bits for factors from 0 to 2^bits.
int rounded_product(int a, int b, int bits) {
  uint high, low, carry;
  umulExtended(uint(a), uint(b), high, low);
  if (bits == 0) return int(low);
  low = uaddCarry(low, 1u << (bits - 1), carry);
  return int(low >> bits | (high + carry) << (32 - bits));
}
