/**
 * Writes test/vectors.json from the BigInt reference: `pnpm vectors`. Run it after a change of the rules, never to make
 * a red test green. The file is language-neutral: whoever writes the market maker again can check themselves with it.
 */
import { writeFileSync } from 'node:fs'
import { makeVectors } from './vectors.ts'

writeFileSync(new URL('./vectors.json', import.meta.url), `${JSON.stringify(makeVectors(), null, 1)}\n`)
