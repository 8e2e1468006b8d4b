/**
 * Writes test/vectors.json from the BigInt reference: `pnpm vectors`. Run it after changing the rules, never to
 * fix a failing test. The file is language-neutral and can verify other implementations of the AMM.
 */
import { writeFileSync } from 'node:fs'
import { makeVectors } from './vectors.ts'

writeFileSync(new URL('./vectors.json', import.meta.url), `${JSON.stringify(makeVectors(), null, 1)}\n`)
