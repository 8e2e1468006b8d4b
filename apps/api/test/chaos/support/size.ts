/**
 * Returns the size of a test: small in `npm run chaos:short`, large in `npm run chaos`, or the value of a variable such
 * as `CHAOS_ROUNDS`.
 */
export function readSize(name: 'rounds' | 'seconds' | 'clients' | 'rate', small: number, large: number): number {
  const wanted = process.env[`CHAOS_${name.toUpperCase()}`]
  if (wanted === undefined) return isLarge ? large : small
  const size = Number.parseInt(wanted, 10)
  if (!(size >= 1)) throw new Error(`${wanted} is no number of ${name}`)
  return size
}

export const isLarge = process.env.CHAOS === 'large'

/** Prints a result for people. */
export function say(line: string): void {
  process.stdout.write(`  ${line}\n`)
}
