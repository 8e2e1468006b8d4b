import { connect } from '@papermoon/db'
import { createTestDatabase } from '@papermoon/db/testing'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { writeNextCheckpoint } from '../../../src/features/tokens/past/checkpoint-writer.ts'
import { getMoment } from '../../../src/features/tokens/past/moment.ts'
import { type Holding, packHoldings, unpackHoldings } from '../../../src/features/tokens/past/past-holders.ts'
import { nextCheckpoint, SPACING } from '../../../src/features/tokens/past/read-token.ts'
import { fillMarket } from '../../support/bulk-market.ts'
import { createTestServer } from '../../support/test-server.ts'
import { WAIT_MAX_MS } from '../../support/wait.ts'

/**
 * Number of trades between checkpoints. It is far smaller than the job's, so that a short market has many checkpoints.
 */
const EVERY = 6

const market = await createTestMarket()
const players = [await market.addPlayer(), await market.addPlayer(), await market.addPlayer()] as const
const tokenId = await market.launch(players[0], '1')
for (let i = 0; i < 30; i++) await market.buy(players[i % 3] ?? players[0], tokenId, `0.${i + 1}`)
afterAll(() => market.close())

interface Row {
  readonly seq: number
  readonly holdings: readonly Holding[]
}

async function readCheckpoints(): Promise<Row[]> {
  const rows = await market.db.selectFrom('holder_checkpoints').select(['seq', 'holdings']).orderBy('seq').execute()
  return rows.map(({ seq, holdings }) => ({ seq, holdings: [...unpackHoldings(holdings)] }))
}

/** Computes the holdings after a trade from the journal. */
async function replayJournal(seq: number): Promise<Row> {
  const trades = await market.db
    .selectFrom('trades')
    .select(['user_id', 'side', 'token_amount'])
    .where('token_id', '=', tokenId)
    .where('seq', '<=', seq)
    .execute()
  const held = new Map<number, bigint>()
  for (const { user_id, side, token_amount } of trades) {
    const millionths = BigInt(token_amount.replace('.', ''))
    held.set(user_id, (held.get(user_id) ?? 0n) + (side === 'buy' ? millionths : -millionths))
  }
  const rows = [...held].filter(([, amount]) => amount > 0n).sort(([one], [other]) => one - other)
  return { seq, holdings: rows.map(([userId, amount]) => ({ userId, amount: Number(amount) })) }
}

/** Makes every writer of a checkpoint wait within its transaction, until `release`. */
async function blockWriting(): Promise<{ pidOfWaiting(): Promise<number>; release(): Promise<void> }> {
  const client = await market.pool.connect()
  await client.query('begin')
  await client.query('lock table holder_checkpoints in share mode')
  const pidOfWaiting = () =>
    vi.waitFor(
      async () => {
        const { rows } = await market.pool.query(
          // Compare the database too, because the table has the same oid in the databases of other tests.
          `select pid from pg_locks join pg_database d on d.oid = database
            where relation = 'holder_checkpoints'::regclass and not granted and d.datname = current_database()`,
        )
        if (rows[0] === undefined) throw new Error('nobody waits yet')
        return rows[0].pid as number
      },
      { timeout: WAIT_MAX_MS },
    )
  return {
    pidOfWaiting,
    release: async () => {
      await client.query('rollback')
      client.release()
    },
  }
}

it('packs holdings from the smallest to the largest without loss', () => {
  const holdings = [
    { userId: 1, amount: 1 },
    { userId: 2, amount: 2 ** 32 - 1 },
    { userId: 3, amount: 2 ** 32 },
    { userId: 2 ** 31 - 1, amount: 1e15 },
  ]
  expect([...unpackHoldings(packHoldings(holdings))]).toEqual(holdings)
  expect(packHoldings([])).toHaveLength(0)
})

it('leaves nothing of a checkpoint if its process is killed during the write, and can write it later', async () => {
  const node = connect(market.address, { poolMax: 1, lockTimeoutMs: 30_000 })
  const block = await blockWriting()
  const writing = writeNextCheckpoint(node.db, tokenId, EVERY).catch((error: Error) => error)
  await market.pool.query('select pg_terminate_backend($1)', [await block.pidOfWaiting()])
  expect(await writing).toBeInstanceOf(Error)
  await block.release()
  await node.close()
  expect(await readCheckpoints()).toEqual([])
  expect(await writeNextCheckpoint(market.db, tokenId, EVERY)).toBe(true)
  expect(await readCheckpoints()).toEqual([await replayJournal(EVERY)])
})

it('skips a token while another node writes its checkpoint', async () => {
  const node = connect(market.address, { poolMax: 1, lockTimeoutMs: 30_000 })
  const block = await blockWriting()
  const writing = writeNextCheckpoint(node.db, tokenId, EVERY)
  await block.pidOfWaiting()
  expect(await writeNextCheckpoint(market.db, tokenId, EVERY)).toBe(false)
  await block.release()
  expect(await writing).toBe(true)
  await node.close()
})

it('writes the same checkpoints with two concurrent nodes, each once', async () => {
  await sql`truncate holder_checkpoints`.execute(market.db)
  const node = connect(market.address, { poolMax: 1 })
  const write = async (db: TestMarket['db']) => {
    for (let i = 0; i < 20; i++) await writeNextCheckpoint(db, tokenId, EVERY)
  }
  await Promise.all([write(market.db), write(node.db)])
  await node.close()
  const expected = []
  for (let seq = EVERY; seq <= 31; seq += EVERY) expected.push(await replayJournal(seq))
  expect(await readCheckpoints()).toEqual(expected)
})

it('returns the same moments before, during and after other trades and new checkpoints', async () => {
  const trader = await market.addPlayer()
  const reader = { app: { platform: market }, ip: '' }
  const read = async (seq: number) => {
    const { lastSeq: _, nextSeq: __, ...moment } = await getMoment(reader, { tokenId, seq })
    return moment
  }
  await sql`truncate holder_checkpoints`.execute(market.db)
  const seqs = [0, 1, 7, 17, 30]
  const before = await Promise.all(seqs.map(read))
  const trading = (async () => {
    for (let i = 0; i < 20; i++) await market.buy(trader, tokenId, '0.01')
  })()
  const writing = (async () => {
    for (let i = 0; i < 10; i++) await writeNextCheckpoint(market.db, tokenId, EVERY)
  })()
  for (let i = 0; i < 5; i++) expect(await Promise.all(seqs.map(read))).toEqual(before)
  await Promise.all([trading, writing])
  expect(await Promise.all(seqs.map(read))).toEqual(before)
  expect((await readCheckpoints()).length).toBeGreaterThan(3)
})

it('puts the checkpoints of tokens with many holders further apart', () => {
  expect(nextCheckpoint({ seq: 0, holders: 0 }, 100)).toBe(100)
  expect(nextCheckpoint({ seq: 100, holders: 1_600 }, 100)).toBe(200)
  expect(nextCheckpoint({ seq: 200, holders: 1_601 }, 100)).toBe(400)
})

describe('a server', () => {
  it('writes missing and due checkpoints, and responds with 503 to a moment too far from a checkpoint', async () => {
    const database = await createTestDatabase()
    await fillMarket(database, { players: 30, tokens: 1, trades: SPACING * 2 - 1 })
    const server = await createTestServer({ database })
    const seqs = async () =>
      (await server.db.selectFrom('holder_checkpoints').select('seq').orderBy('seq').execute()).map(({ seq }) => seq)
    // The job looks for missing checkpoints in its second run, ten minutes after the start.
    for (let run = 0; run < 2; run++) await server.tick('checkpoints')
    expect(await seqs()).toEqual([SPACING])
    const player = await server.player()
    for (let i = 0; i < 2; i++) await player.post('/api/tokens/buy', { tokenId: 1, solAmount: '1' })
    await server.tick('checkpoints')
    expect(await seqs()).toEqual([SPACING, SPACING * 2])
    // Pretend that the journal continued without checkpoints.
    await server.db.updateTable('pools').set({ seq: 100_000 }).execute()
    const answer = await player.get('/api/tokens/1/past/90000')
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2'])
    const beyond = await player.get('/api/tokens/1/past/100001')
    expect([beyond.statusCode, beyond.body]).toEqual([
      404,
      'This token has no event with that number. Its latest event is 100000.',
    ])
    await server.close()
  })
})
