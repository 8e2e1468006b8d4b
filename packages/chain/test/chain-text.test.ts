import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import {
  type ChainTrade,
  entryText,
  findBreak,
  type HashedEntry,
  headLine,
  launchText,
  publicationStart,
} from '../src/index.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const launch = {
  tokenId: 7,
  creatorId: 3,
  supply: '1000000000',
  launchPrice: '0.00000003',
  createdAt: '2026-01-01T00:00:00.000Z',
  name: 'Paper "Moon"',
  symbol: 'MOON',
}
const buy: ChainTrade = {
  kind: 'buy',
  tokenId: 7,
  seq: 1,
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

// Do not change these literal texts, because published hashes depend on them.
it('never changes the hashed texts', () => {
  expect(launchText(launch)).toBe(
    'papermoon:1 launch 7 3 1000000000 0.00000003 2026-01-01T00:00:00.000Z "Paper \\"Moon\\"" "MOON"',
  )
  const first = sha256(launchText(launch))
  expect(first).toBe('0cd3768e0a33a5eb741fd77848c8cf4af6aadfac32a65ebbc1eedbf9f47c23f0')
  expect(entryText(first, buy)).toBe(
    `${first}\npapermoon:1 buy 7 1 3 1.5 0.0045 47483731.868 0.0000000315897494 0.000000033065 31.4955 952516268.132 2026-01-01T00:00:01.250Z`,
  )
  const rug = { kind: 'rug', tokenId: 7, seq: 2, userId: 3, amount: '1.4955', createdAt: buy.createdAt } as const
  expect(entryText(first, rug)).toBe(`${first}\npapermoon:1 rug 7 2 3 1.4955 2026-01-01T00:00:01.250Z`)
})

it('never changes the published texts', () => {
  const hour = '2026-01-01T01:00:00.000Z'
  expect(publicationStart({ hour, previous: null })).toBe('papermoon:1 heads 2026-01-01T01:00:00.000Z first\n')
  expect(publicationStart({ hour, previous: 'ab12' })).toBe('papermoon:1 heads 2026-01-01T01:00:00.000Z ab12\n')
  expect(headLine({ tokenId: 7, seq: 2, hash: 'ab12' })).toBe('7 2 ab12\n')
})

it('distinguishes names and symbols that concatenate to the same text', () => {
  const text = (name: string, symbol: string) => launchText({ ...launch, name, symbol })
  expect(text('A" "B', 'C')).not.toBe(text('A', 'B" "C'))
})

function createChain(entries: readonly ChainTrade[]): HashedEntry[] {
  let last = sha256(launchText(launch))
  return entries.map((entry) => {
    last = sha256(entryText(last, entry))
    return { ...entry, hash: last }
  })
}

it('finds the first entry that does not continue the chain', async () => {
  const start = { seq: 0, hash: sha256(launchText(launch)) }
  const chain = createChain([1, 2, 3, 4].map((seq) => ({ ...buy, seq })))
  const find = (entries: readonly HashedEntry[]) => findBreak(start, entries, sha256)
  expect(await find([])).toBe(null)
  expect(await find(chain)).toBe(null)
  expect(await find(chain.map((entry) => (entry.seq === 3 ? { ...entry, fee: '0' } : entry)))).toBe(3)
  expect(await find(chain.filter(({ seq }) => seq !== 2))).toBe(3)
  expect(await find(chain.map((entry) => (entry.seq === 2 ? { ...entry, hash: start.hash } : entry)))).toBe(2)
  // Wrong sequence numbers are found even if the hashes match.
  expect(await find(createChain([1, 3].map((seq) => ({ ...buy, seq }))))).toBe(3)
})
