import { createHash } from 'node:crypto'
import { headLine, publicationStart } from '@papermoon/chain'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/features/proof/chain/sha256.ts'
import { COMPARED_MAX, compareCopy, type Today } from '../../src/features/proof/heads/compare-copy.ts'
import { COPY_CHARACTERS_MAX, type KeptCopy, readKeptCopy } from '../../src/features/proof/heads/kept-copy.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const HOUR = '2026-01-01T01:00:00.000Z'
const headOf = (tokenId: number) => ({ tokenId, seq: tokenId * 10, hash: hashOf(String(tokenId)) })

function copyOf(ids: readonly number[]): KeptCopy {
  const heads = ids.map(headOf)
  const digest = hashOf(publicationStart({ hour: HOUR, previous: null }) + heads.map(headLine).join(''))
  return { hour: HOUR, previous: null, digest, tokens: heads.length, heads }
}

/** A server on which nothing changed, but for what is told. */
function todayWith(copy: KeptCopy, changed: Partial<Today> = {}): Today {
  return { sha256, hashAt: async (id) => headOf(id).hash, fetchDigest: async () => copy.digest, ...changed }
}

describe('a kept copy', () => {
  const copy = copyOf([1, 2, 3, 4])

  it('agrees with books that nobody wrote anew', async () => {
    const compared = await compareCopy(readKeptCopy(JSON.stringify(copy)), todayWith(copy))
    expect(compared).toMatchObject({ hour: HOUR, isWhole: true, isPublished: true, left: 0 })
    expect(compared.heads.map(({ status }) => status)).toEqual(['same', 'same', 'same', 'same'])
  })

  it('tells line by line what became of it', async () => {
    const answers: Record<number, string> = { 2: hashOf('other'), 3: 'gone', 4: 'hidden' }
    const hashAt: Today['hashAt'] = async (id) => answers[id] ?? headOf(id).hash
    const compared = await compareCopy(copy, todayWith(copy, { hashAt, fetchDigest: async () => null }))
    expect(compared.heads.map(({ status }) => status)).toEqual(['same', 'other', 'gone', 'hidden'])
    expect(compared.isPublished).toBe(false)
  })

  it('that was changed itself does not fit its own digest; a page of one is not held to it', async () => {
    const changed = { ...copy, heads: copy.heads.map((head) => ({ ...head, seq: 1 })) }
    expect(await compareCopy(changed, todayWith(copy))).toMatchObject({ isWhole: false, isPublished: true })
    expect(await compareCopy({ ...copy, tokens: 9 }, todayWith(copy))).toMatchObject({ isWhole: null })
  })

  it('is looked up to a bound', async () => {
    const long = copyOf(Array.from({ length: COMPARED_MAX + 5 }, (_, index) => index + 1))
    const { heads, left, isWhole } = await compareCopy(long, todayWith(long))
    expect([heads.length, left, isWhole]).toEqual([COMPARED_MAX, 5, true])
  })

  it.each([
    ['no JSON', 'hello', 'This is not JSON.'],
    ['no publication', '{"hour":"2026-01-01T01:00:00.000Z"}', 'These are no published heads'],
    ['a broken head', JSON.stringify({ ...copy, heads: [{ tokenId: 1, seq: 1, hash: 'ab' }] }), 'no published heads'],
    ['nothing', 'null', 'no published heads'],
    ['too much', ' '.repeat(COPY_CHARACTERS_MAX + 1), 'too long'],
  ])('that is %s is refused with a sentence', (_, text, sentence) => {
    expect(() => readKeptCopy(text)).toThrow(sentence)
  })
})
