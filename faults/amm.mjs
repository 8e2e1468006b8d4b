/** Faults of the market maker's arithmetic. */
export const faults = [
  {
    title: 'a buy costs no fee',
    file: 'packages/amm/src/buy.ts',
    from: 'const solNet = solIn.sub(fee)',
    to: 'const solNet = solIn',
    tests: ['packages/amm/test/quotes.test.ts', 'packages/amm/test/vectors.test.ts'],
  },
  {
    title: 'a buy that brings no token is accepted',
    file: 'packages/amm/src/buy.ts',
    from: 'if (tokensOut.isZero()) throw new OutputIsZeroError()',
    to: '',
    tests: ['packages/amm/test/quotes.test.ts', 'packages/amm/test/invariants.test.ts'],
  },
]
