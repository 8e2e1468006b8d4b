/** A repeatable source of numbers from 0 (in it) to 1 (not in it): xorshift32. The seed is a whole number above 0. */
export function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4_294_967_296
  }
}

/** A whole number from 0 to `below` (not in it). */
export function randomInt(random: () => number, below: number): number {
  return Math.floor(random() * below)
}

/** The same items in another order, repeatable by `random`. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = items.map((item) => ({ item, key: random() }))
  return order.sort((a, b) => a.key - b.key).map(({ item }) => item)
}
