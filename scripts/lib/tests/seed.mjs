/** Seed for the random inputs of a normal run. The seed is fixed, so that CI does not fail because of other inputs. */
const usualSeed = 20_261

/**
 * Parses TEST_SEED: a 32-bit integer or `random`. If the variable is unset or empty, returns the usual seed. Throws for
 * other values.
 */
export function chooseSeed(text) {
  if (text === undefined || text === '') return usualSeed
  if (text === 'random') return Math.floor(Math.random() * 2 ** 31)
  const seed = Number(text)
  if (/^-?\d+$/.test(text) && (seed | 0) === seed) return seed
  throw new Error(`TEST_SEED is a 32-bit integer or "random", not "${text}".`)
}
