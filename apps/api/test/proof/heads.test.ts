import { createHash } from 'node:crypto'
import { headLine, type PublishedHead, publicationStart } from '@papermoon/chain'
import { countHeadReads, type Heads } from '@papermoon/contract/proof'
import type { TokenId, UserId } from '@papermoon/engine'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { type Logger, pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { auditMarket } from '../../src/features/audit/audit-market.ts'
import { headsAt, latestHeads } from '../../src/features/proof/chain.ts'
import { createHeadPublisher, publishHeads } from '../../src/features/proof/publish-heads.ts'
import { rewriteChain } from '../shared/rewrite-chain.ts'

const ALL = { after: 0, limit: 10_000 }
const HOUR_MS = 3_600_000
const at = (time: string) => new Date(`2026-01-05T${time}:00Z`)

let market: TestMarket
let player: UserId
let first: TokenId
let second: TokenId
beforeEach(async () => {
  market = await createTestMarket({ clock: { now: () => at('10:30') } })
  player = await market.addPlayer()
  first = await market.launch(player, '1')
  second = await market.launch(player)
})
afterEach(() => market.close())

const publish = (time: string, db = market.db) => publishHeads(db, at(time))
const publishedFor = (time: string) => headsAt({ platform: market }, at(time), ALL)
const findHead = ({ heads }: Heads, tokenId: number) => heads.find((head) => head.tokenId === tokenId)

/** Publishes the hashes that are due, as a server does at its start. */
async function publishAtStart(log: Logger, now?: () => Promise<Date>): Promise<void> {
  await createHeadPublisher({ platform: { db: market.db, log } }, now)()
}

/** A publication's digest, computed from its heads. */
function computeDigest({ hour, previous, heads }: Heads): string {
  const text = publicationStart({ hour, previous }) + heads.map((head: PublishedHead) => headLine(head)).join('')
  return createHash('sha256').update(text).digest('hex')
}

describe('the heads of all chains', () => {
  it('are published each hour, chained to the previous publication', async () => {
    expect(await publish('11:00')).toBe(2)
    await market.buy(player, second, '1')
    expect(await publish('12:40')).toBe(2)
    const [one, two] = [await publishedFor('11:00'), await publishedFor('12:00')]
    expect([one.previous, two.previous]).toEqual([null, one.digest])
    expect([computeDigest(one), computeDigest(two)]).toEqual([one.digest, two.digest])
    expect([findHead(one, first)?.seq, findHead(one, second)?.seq]).toEqual([1, 0])
    expect([findHead(two, first), findHead(two, second)?.seq]).toEqual([findHead(one, first), 1])
    expect(two).toMatchObject({ hour: '2026-01-05T12:00:00.000Z', publishedAt: '2026-01-05T12:40:00.000Z' })
    expect(await latestHeads({ platform: market }, ALL)).toEqual(two)
    // Only changed heads are stored again.
    const { rows } = await sql`select token_id from published_heads where hour = ${at('12:00')}`.execute(market.db)
    expect(rows).toEqual([{ token_id: second }])
  })

  it('are published once there is a token', async () => {
    const empty = await createTestMarket()
    onTestFinished(() => empty.close())
    expect(await publish('11:00', empty.db)).toBe('nothing')
    await expect(latestHeads({ platform: empty }, ALL)).rejects.toThrow('Nothing was published yet.')
    await empty.launch(await empty.addPlayer())
    expect(await publish('11:30', empty.db)).toBe(1)
  })

  it('are read in pages', async () => {
    const third = await market.launch(player)
    await publish('11:00')
    const page = await latestHeads({ platform: market }, { after: 0, limit: 2 })
    expect([page.heads.map(({ tokenId }) => tokenId), page.nextAfter]).toEqual([[first, second], second])
    const rest = await headsAt({ platform: market }, new Date(page.hour), { after: second, limit: 2 })
    expect([rest.heads.map(({ tokenId }) => tokenId), rest.nextAfter]).toEqual([[third], null])
  })

  it('are published once by two nodes, and not again for a past hour', async () => {
    const published = await Promise.all([publish('11:00'), publish('11:00'), publish('11:01')])
    expect(published.filter((tokens) => tokens === 2)).toHaveLength(1)
    expect([await publish('11:59'), await publish('10:59')]).toEqual(['before', 'ahead'])
    await expect(publishedFor('10:00')).rejects.toThrow('Nothing was published for this hour.')
  })

  it('are published late rather than never, by a server that starts in the middle of an hour', async () => {
    await publishAtStart(pino({ level: 'silent' }), async () => at('14:50'))
    expect(await market.db.selectFrom('head_publications').selectAll().execute()).toHaveLength(1)
    expect((await publishedFor('14:00')).publishedAt).toBe('2026-01-05T14:50:00.000Z')
  })

  it('are published by the database’s clock, whatever a node’s clock says', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 24 * HOUR_MS })
    onTestFinished(() => void vi.useRealTimers())
    await publishAtStart(pino({ level: 'silent' }))
    const { rows } = await sql`select published_at > now() + interval '1 day' as ahead from head_publications`.execute(
      market.db,
    )
    expect(rows).toEqual([{ ahead: false }])
  })

  it('are not published while the last hour is in the future, and the operator is warned', async () => {
    await publish('16:00')
    const logged: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) })
    await publishAtStart(log, async () => at('14:50'))
    expect(logged).toEqual([
      'the last published chain heads are dated in the future (wrong clock); publishing resumes at that time',
    ])
    await expect(publishedFor('14:00')).rejects.toThrow('Nothing was published for this hour.')
  })

  it('cost as many reads by default as with the default page size in the request', () => {
    expect([{}, { limit: 1_000 }, { limit: 10_000 }, { limit: 499 }, { limit: 'x' }].map(countHeadReads)).toEqual([
      2, 2, 20, 0, 0,
    ])
  })

  it('reveal a completely rewritten history to a kept copy and to the audit', async () => {
    await publish('11:00')
    const copy = await publishedFor('11:00')
    await market.buy(player, first, '2')
    expect((await auditMarket(market.pool)).shown).toEqual([])
    // The name is part of every hash, but the replay does not compare it.
    await sql`update tokens set name = 'Sun' where id = ${first}`.execute(market.db)
    await rewriteChain(market, first)
    const { hash } = await market.db
      .selectFrom('trades')
      .select('hash')
      .where('token_id', '=', first)
      .where('seq', '=', 1)
      .executeTakeFirstOrThrow()
    expect(findHead(copy, first)).toMatchObject({ seq: 1 })
    expect(hash.toString('hex')).not.toBe(findHead(copy, first)?.hash)
    expect((await auditMarket(market.pool)).shown).toEqual([
      expect.stringMatching(
        /^token 1 \(MOON\), entry 1, published for 2026-01-05T11:00:00.000Z: hash is [0-9a-f]{64}, but/,
      ),
    ])
  })

  it.each([
    ['a digest', sql`update head_publications set digest = sha256('') where hour = ${at('11:00')}`, /11:00.*digest is/],
    ['a deleted publication', sql`delete from head_publications where hour = ${at('11:00')}`, /12:00.*previous is/],
    [
      'a deleted head',
      sql`delete from published_heads where token_id = 1 and hour = ${at('11:00')}`,
      /11:00.*tokens is 2, but should be 1/,
    ],
  ])('have digests that the audit recomputes: it reports %s, once', async (_, change, finding) => {
    for (const time of ['11:00', '12:00', '13:00']) await publish(time)
    expect((await auditMarket(market.pool)).shown).toEqual([])
    await change.execute(market.db)
    expect((await auditMarket(market.pool)).shown).toEqual([expect.stringMatching(finding)])
  })

  it('reveal a truncated chain', async () => {
    await market.buy(player, second, '1')
    await publish('11:00')
    await sql`delete from trades where token_id = ${second}`.execute(market.db)
    expect((await auditMarket(market.pool)).shown).toContainEqual(
      expect.stringMatching(/^token 2 \(MOON\), entry 1, published for .*: hash is missing, but should be/),
    )
  })
})
