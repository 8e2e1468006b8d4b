import { createHash } from 'node:crypto'
import { type ChainSeal, sealText } from '@papermoon/chain'
import { expect, it } from 'vitest'
import { type SealPage, walkSeals } from '../../src/features/proof/walk-seals.ts'
import { sha256 } from '../../src/lib/format/sha256.ts'

const TOKEN = 7
const PAGE = 2

/** Creates a valid chain of seals. `change` modifies each seal before it is hashed. */
function createSeals(length: number, change: (seal: ChainSeal) => ChainSeal = (seal) => seal) {
  let last: string | null = null
  return Array.from({ length }, (_, index) => {
    const seal = change({
      tokenId: TOKEN,
      number: index + 1,
      seq: 4,
      userId: 3,
      until: `2026-01-0${index + 2}T00:00:00.000Z`,
      bagUntil: null,
      bagTokens: '0',
      createdAt: '2026-01-01T00:00:00.000Z',
    })
    // Hash without the page's own code.
    last = createHash('sha256').update(sealText(last, seal)).digest('hex')
    return { ...seal, hash: last }
  })
}

const walk = (seals: SealPage['seals'], head: SealPage['head'] = seals.at(-1) ?? null) =>
  walkSeals({
    tokenId: TOKEN,
    fetchPage: async (after) => ({ head, seals: seals.filter(({ number }) => number > after).slice(0, PAGE) }),
    sha256,
  })

it('finds all seals intact, page by page', async () => {
  expect(await walk(createSeals(5))).toEqual({ count: 5, broken: null })
  expect(await walk([])).toEqual({ count: 0, broken: null })
})

it('finds the seal that was changed, left out, or moved from another token', async () => {
  const seals = createSeals(5)
  const shorter = seals.map((seal) => (seal.number === 4 ? { ...seal, until: '2026-01-01T01:00:00.000Z' } : seal))
  expect((await walk(shorter)).broken).toBe(4)
  expect((await walk(seals.filter(({ number }) => number !== 2))).broken).toBe(2)
  expect((await walk(createSeals(3, (seal) => ({ ...seal, tokenId: 8 })))).broken).toBe(1)
})

it('finds surplus seals after the head, and seals missing before it', async () => {
  const seals = createSeals(3)
  expect((await walk(seals, { number: 3, hash: '0'.repeat(64) })).broken).toBe(3)
  expect((await walk(seals.slice(0, 2), seals.at(-1))).broken).toBe(3)
  expect((await walk(seals, null)).broken).toBe(1)
})
