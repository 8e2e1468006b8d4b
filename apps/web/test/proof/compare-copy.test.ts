import { createHash } from 'node:crypto'
import { headLine, publicationStart } from '@papermoon/chain'
import { describe, expect, it } from 'vitest'
import {
  COMPARED_MAX,
  COPY_CHARACTERS_MAX,
  type CopiedHeads,
  compareCopy,
  readCopiedHeads,
  type Today,
} from '../../src/features/proof/compare-copy.ts'
import { sha256 } from '../../src/lib/format/sha256.ts'

const computeHash = (text: string) => createHash('sha256').update(text).digest('hex')
const HOUR = '2026-01-01T01:00:00.000Z'
const createHead = (tokenId: number) => ({ tokenId, seq: tokenId * 10, hash: computeHash(String(tokenId)) })

function createCopy(ids: readonly number[]): CopiedHeads {
  const heads = ids.map(createHead)
  const digest = computeHash(publicationStart({ hour: HOUR, previous: null }) + heads.map(headLine).join(''))
  return { hour: HOUR, previous: null, digest, tokens: heads.length, heads }
}

/** Creates an unchanged server, except for `changed`. */
function todayWith(copy: CopiedHeads, changed: Partial<Today> = {}): Today {
  return { sha256, hashAt: async (id) => createHead(id).hash, fetchDigest: async () => copy.digest, ...changed }
}

describe('a saved copy', () => {
  const copy = createCopy([1, 2, 3, 4])

  it('matches books that nobody changed', async () => {
    const compared = await compareCopy(readCopiedHeads(JSON.stringify(copy)), todayWith(copy))
    expect(compared).toMatchObject({ hour: HOUR, isWhole: true, isPublished: true, left: 0 })
    expect(compared.heads.map(({ status }) => status)).toEqual(['same', 'same', 'same', 'same'])
  })

  it('reports the status of each line', async () => {
    const answers: Record<number, string> = { 2: computeHash('other'), 3: 'gone', 4: 'hidden' }
    const hashAt: Today['hashAt'] = async (id) => answers[id] ?? createHead(id).hash
    const compared = await compareCopy(copy, todayWith(copy, { hashAt, fetchDigest: async () => null }))
    expect(compared.heads.map(({ status }) => status)).toEqual(['same', 'other', 'gone', 'hidden'])
    expect(compared.isPublished).toBe(false)
  })

  it('that was changed itself does not match its digest, and the digest of a page is not checked', async () => {
    const changed = { ...copy, heads: copy.heads.map((head) => ({ ...head, seq: 1 })) }
    expect(await compareCopy(changed, todayWith(copy))).toMatchObject({ isWhole: false, isPublished: true })
    expect(await compareCopy({ ...copy, tokens: 9 }, todayWith(copy))).toMatchObject({ isWhole: null })
  })

  it('is compared up to a limit', async () => {
    const long = createCopy(Array.from({ length: COMPARED_MAX + 5 }, (_, index) => index + 1))
    const { heads, left, isWhole } = await compareCopy(long, todayWith(long))
    expect([heads.length, left, isWhole]).toEqual([COMPARED_MAX, 5, true])
  })

  it.each([
    ['no JSON', 'hello', 'This is not JSON.'],
    ['no publication', '{"hour":"2026-01-01T01:00:00.000Z"}', 'These are not published heads'],
    ['a broken head', JSON.stringify({ ...copy, heads: [{ tokenId: 1, seq: 1, hash: 'ab' }] }), 'not published heads'],
    ['nothing', 'null', 'not published heads'],
    ['too much', ' '.repeat(COPY_CHARACTERS_MAX + 1), 'too long'],
  ])('that is %s is refused with a sentence', (_, text, sentence) => {
    expect(() => readCopiedHeads(text)).toThrow(sentence)
  })
})
