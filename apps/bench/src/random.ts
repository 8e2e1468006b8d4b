/** Creates a repeatable generator of numbers in [0, 1): xorshift32. The seed is a positive integer. */
export function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4_294_967_296
  }
}

/** Returns a random integer in [0, `below`). */
export function randomInt(random: () => number, below: number): number {
  return Math.floor(random() * below)
}

/** Returns a shuffled copy of the items. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = items.map((item) => ({ item, key: random() }))
  return order.sort((a, b) => a.key - b.key).map(({ item }) => item)
}
