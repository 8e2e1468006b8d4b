import { createHash } from 'node:crypto'
import { type ChainPosition, type ChainTrade, entryText, type HashedEntry, launchText } from '@papermoon/chain'
import { describe, expect, it } from 'vitest'
import { compareWithPublished } from '../../src/features/proof/published-hashes.ts'
import { type ChainPage, type Walk, type Walked, walkChain } from '../../src/features/proof/walk-chain.ts'
import { sha256 } from '../../src/lib/format/sha256.ts'

const TOKEN = 7
const LENGTH = 7
const PAGE = 3

const launch = {
  tokenId: TOKEN,
  creatorId: 3,
  supply: '1000000000',
  launchPrice: '0.00000003',
  createdAt: '2026-01-01T00:00:00.000Z',
  name: 'Paper "Moon" 🌙',
  symbol: 'MOON',
}
const buy: Omit<ChainTrade, 'seq'> = {
  kind: 'buy',
  tokenId: TOKEN,
  userId: 3,
  solAmount: '1.5',
  fee: '0.0045',
  tokenAmount: '47483731.868',
  price: '0.0000000315897494',
  spotPrice: '0.000000033065',
  solReserve: '31.4955',
  tokenReserve: '952516268.132',
  createdAt: '2026-01-01T00:00:01.250Z',
}

/** Computes a hash without the page's own code. */
const computeHash = (text: string) => createHash('sha256').update(text).digest('hex')
const genesis = { ...launch, hash: computeHash(launchText(launch)) }

/** Creates a valid chain. `change` modifies each entry before it is hashed. */
function createChain(change: (entry: ChainTrade) => ChainTrade = (entry) => entry): HashedEntry[] {
  let last = genesis.hash
  return Array.from({ length: LENGTH }, (_, index) => {
    const entry = change({ ...buy, seq: index + 1 })
    last = computeHash(entryText(last, entry))
    return { ...entry, hash: last }
  })
}

/** Creates a server that returns these entries in this order. */
function createServer(entries: readonly HashedEntry[], overrides: Partial<ChainPage> = {}) {
  const last = entries.at(-1)
  const head: ChainPosition = overrides.head ?? { seq: last?.seq ?? 0, hash: last?.hash ?? genesis.hash }
  return async (after: number): Promise<ChainPage> => {
    const position = entries.find(({ seq }) => seq === after) ?? { seq: after, hash: genesis.hash }
    const page = entries.filter(({ seq }) => seq > after).slice(0, PAGE)
    return { genesis, head, after: { seq: position.seq, hash: position.hash }, entries: page, ...overrides }
  }
}

const walk = (fetchPage: Walk['fetchPage'], about: Partial<Walk> = {}) =>
  walkChain({ tokenId: TOKEN, from: null, fetchPage, sha256, ...about })
const findBreak = async (fetchPage: Walk['fetchPage'], about: Partial<Walk> = {}) =>
  (await walk(fetchPage, about)).broken
const findPosition = (entries: readonly HashedEntry[], seq: number): ChainPosition => {
  const { hash } = entries.find((entry) => entry.seq === seq) ?? genesis
  return { seq, hash }
}

describe('a chain in order', () => {
  const chain = createChain()

  it('is verified from the launch to the head, page by page', async () => {
    const pages: number[] = []
    const walked = await walk(createServer(chain), { onPage: ({ position }) => void pages.push(position.seq) })
    expect(walked).toMatchObject({
      broken: null,
      position: findPosition(chain, LENGTH),
      start: findPosition(chain, 0),
      isClosed: false,
    })
    expect(pages).toEqual([3, 6, 7])
  })

  it('is verified from a checkpoint on, without a result for earlier entries', async () => {
    const asked: number[] = []
    const server = createServer(chain)
    const fetchPage = (after: number) => {
      asked.push(after)
      return server(after)
    }
    const walked = await walk(fetchPage, { from: findPosition(chain, 4), witness: 2 })
    expect(walked).toMatchObject({
      broken: null,
      start: findPosition(chain, 4),
      position: findPosition(chain, LENGTH),
      witnessed: null,
    })
    expect(asked).toEqual([4])
  })

  it('continues where it was interrupted, with its results so far', async () => {
    const server = createServer(chain)
    const asked: number[] = []
    let isAway = true
    let before: Walked | undefined
    const fetchPage = async (after: number) => {
      if (isAway && after >= 6) throw new Error('away')
      asked.push(after)
      return await server(after)
    }
    const onPage = (walked: Walked) => {
      before = walked
    }
    await expect(walk(fetchPage, { onPage, witness: 2 })).rejects.toThrow('away')
    isAway = false
    const walked = await walk(fetchPage, { witness: 2, ...(before && { before }) })
    expect(asked).toEqual([0, 3, 6])
    expect(walked).toEqual(await walk(server, { witness: 2 }))
  })

  it('can have no entry yet, or end with a rug pull', async () => {
    expect(await walk(createServer([]))).toMatchObject({ broken: null, position: { seq: 0, hash: genesis.hash } })
    const rug = { kind: 'rug', tokenId: TOKEN, seq: 1, userId: 3, amount: '0', createdAt: buy.createdAt } as const
    const closed = [{ ...rug, hash: computeHash(entryText(genesis.hash, rug)) }]
    expect(await walk(createServer(closed))).toMatchObject({ broken: null, isClosed: true })
  })
})

describe('a chain that was tampered with', () => {
  const chain = createChain()

  it('breaks at a changed figure, with the hash that it should have', async () => {
    const changed = chain.map((entry) => (entry.seq === 5 ? { ...entry, solAmount: '0.1' } : entry))
    const broken = await findBreak(createServer(changed))
    expect(broken).toMatchObject({ kind: 'hash', seq: 5, found: findPosition(chain, 5).hash })
    expect(broken?.expected).toBe(
      computeHash(entryText(findPosition(chain, 4).hash, { ...buy, seq: 5, solAmount: '0.1' } as ChainTrade)),
    )
  })

  it('breaks after a changed figure whose own hash was adjusted', async () => {
    const forged = { ...buy, seq: 2, fee: '0' } as ChainTrade
    const hash = computeHash(entryText(findPosition(chain, 1).hash, forged))
    const changed = chain.map((entry) => (entry.seq === 2 ? { ...forged, hash } : entry))
    expect(await findBreak(createServer(changed))).toMatchObject({ kind: 'hash', seq: 3 })
  })

  it.each([
    ['in the middle', 2, { kind: 'number', seq: 2, expected: '2', found: '3' }],
    ['at the start of a page', 4, { kind: 'number', seq: 4, expected: '4', found: '5' }],
  ])('breaks at a missing entry %s', async (_, missing, broken) => {
    expect(await findBreak(createServer(chain.filter(({ seq }) => seq !== missing)))).toEqual(broken)
  })

  it('breaks at a missing end', async () => {
    const head = findPosition(chain, LENGTH)
    expect(await findBreak(createServer(chain.slice(0, -1), { head }))).toEqual({
      kind: 'number',
      seq: LENGTH,
      expected: String(LENGTH),
      found: 'nothing',
    })
  })

  it('breaks if two entries changed places', async () => {
    const [first, second, third, ...rest] = chain as [HashedEntry, HashedEntry, HashedEntry, ...HashedEntry[]]
    expect(await findBreak(createServer([first, third, second, ...rest]))).toMatchObject({
      kind: 'number',
      seq: 2,
      found: '3',
    })
    const renumbered = [first, { ...third, seq: 2 }, { ...second, seq: 3 }, ...rest]
    expect(await findBreak(createServer(renumbered))).toMatchObject({ kind: 'hash', seq: 2 })
  })

  it('breaks at a wrong checkpoint, and if a position changed between two pages', async () => {
    const wrong = { seq: 4, hash: genesis.hash }
    expect(await findBreak(createServer(chain), { from: wrong })).toMatchObject({
      kind: 'start',
      seq: 4,
      expected: wrong.hash,
    })
    const other = createChain((entry) => ({ ...entry, fee: '0' }))
    const fetchPage = (after: number) => createServer(after === 0 ? chain : other)(after)
    expect(await findBreak(fetchPage)).toMatchObject({ kind: 'start', seq: 3, found: findPosition(other, 3).hash })
  })

  it('breaks at the launch, at another token’s entry, and at an invalid head', async () => {
    const renamed = { genesis: { ...genesis, name: 'Moon' } }
    expect(await findBreak(createServer(chain, renamed))).toMatchObject({ kind: 'launch', seq: 0 })
    expect(await findBreak(createServer(chain), { tokenId: 8 })).toMatchObject({
      kind: 'token',
      expected: '8',
      found: '7',
    })
    const foreign = createChain((entry) => ({ ...entry, tokenId: entry.seq === 3 ? 8 : TOKEN }))
    expect(await findBreak(createServer(foreign))).toMatchObject({ kind: 'token', seq: 3 })
    const head = { seq: LENGTH, hash: genesis.hash }
    expect(await findBreak(createServer(chain, { head }))).toMatchObject({
      kind: 'head',
      seq: LENGTH,
      found: genesis.hash,
    })
  })
})

describe('the published head', () => {
  const chain = createChain()
  const rewritten = createChain((entry) => ({ ...entry, fee: '0' }))
  const hour = '2026-01-01T01:00:00.000Z'
  const published = { hour, ...findPosition(chain, 5) }

  it('is on the chain from which it was taken, and not on a rewritten one', async () => {
    const same = compareWithPublished(published, await walk(createServer(chain), { witness: 5 }))
    expect(same).toEqual({ kind: 'same', published })
    const walked = await walk(createServer(rewritten), { witness: 5 })
    expect(walked.broken).toBeNull()
    expect(compareWithPublished(published, walked)).toEqual({
      kind: 'other',
      published,
      found: findPosition(rewritten, 5).hash,
    })
  })

  it('is missing if the chain became shorter, which differs from not being verified', async () => {
    const shorter = await walk(createServer(chain.slice(0, 4)), { witness: 5 })
    expect(compareWithPublished(published, shorter)).toEqual({ kind: 'other', published, found: null })
    const later = await walk(createServer(chain), { from: findPosition(chain, 6), witness: 5 })
    expect(compareWithPublished(published, later)).toEqual({ kind: 'before', published })
    const there = await walk(createServer(chain), { from: findPosition(chain, 5), witness: 5 })
    expect(compareWithPublished(published, there).kind).toBe('same')
    expect(compareWithPublished(null, later)).toEqual({ kind: 'none' })
  })
})
