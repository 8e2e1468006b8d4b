/**
 * Compares non-negative decimal texts, for sorting. The function compares digits without creating Decimals, because a
 * list of 1,000 tokens is sorted again whenever prices change.
 */
export function compareDecimals(a: string, b: string): number {
  const [wholeA = '', fractionA = ''] = a.split('.')
  const [wholeB = '', fractionB = ''] = b.split('.')
  if (wholeA.length !== wholeB.length) return wholeA.length - wholeB.length
  if (wholeA !== wholeB) return wholeA < wholeB ? -1 : 1
  const digits = Math.max(fractionA.length, fractionB.length)
  const paddedA = fractionA.padEnd(digits, '0')
  const paddedB = fractionB.padEnd(digits, '0')
  if (paddedA === paddedB) return 0
  return paddedA < paddedB ? -1 : 1
}
