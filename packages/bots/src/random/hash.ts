/** A 32-bit hash of a text: FNV-1a with the finalizer of MurmurHash3, so that similar texts give unrelated numbers. */
export function hashText(text: string, salt = 0): number {
  let hash = 0x811c9dc5 ^ salt
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return mixBits(hash)
}

/** Spreads a 32-bit number over all 32 bits: the finalizer of MurmurHash3. */
function mixBits(value: number): number {
  let mixed = value ^ (value >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
