import { Decimal, tokensText } from '@papermoon/amm'
import { connect } from '@papermoon/db'
import { createTestDatabase } from '@papermoon/db/testing'
import { balancedBooks, readBooks } from '@papermoon/engine/testing'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { deleteDueAccounts } from '../../../src/features/account/deletion/delete-due-accounts.ts'
import { auditMarket } from '../../../src/features/audit/audit-market.ts'
import { createTestServer, errorsIn, type TestServer, Visitor } from '../../support/test-server.ts'
import { type Act, anyEvening, CREATORS, type Round } from './evenings.ts'
import { findBrokenPromises } from './seal-promises.ts'

/** For more: `SEAL_EVENINGS=500 TEST_SEED=random npm run t -- seal-races`. */
const EVENINGS = Number.parseInt(process.env.SEAL_EVENINGS ?? '8', 10)
/** How long a node may know an account as it was before it was suspended. */
const REMEMBERED_MS = 3_001
const START_MS = Date.now()

/** Stands still during a round. */
let nowMs = START_MS

const database = await createTestDatabase()
const start = () => {
  const pool = connect(database.address, { poolMax: 8 })
  const own = { ...database, ...pool, drop: () => pool.close() }
  return createTestServer({ hasJobs: true, database: own, clock: { now: () => new Date(nowMs) } })
}
const nodes: TestServer[] = [await start(), await start()]
afterAll(async () => {
  for (const node of nodes ?? []) await node.close()
  await database.drop()
})

interface Creator {
  readonly id: number
  readonly username: string
  /** The same session at each node. */
  readonly at: readonly Visitor[]
  readonly tokenId: number
  /** Since when, if they are. */
  suspendedMs: number | null
}

/** An order's answer, with the moment at which it was decided. */
interface Told {
  readonly act: Act
  readonly creator: Creator
  readonly atMs: number
  readonly code: string
  readonly untilMs: number | null
}

const isAfter = ({ untilMs, atMs }: Told) => untilMs !== null && untilMs > atMs

/** Refusals that an order of the evening may get, other than those of a seal. */
const USUAL: ReadonlySet<string> = new Set([
  ...['OK', 'TOKEN_CLOSED', 'INSUFFICIENT_TOKENS', 'INSUFFICIENT_BALANCE', 'OUTPUT_IS_ZERO', 'ACCOUNT_SUSPENDED'],
  ...['NET_WORTH_TOO_HIGH', 'RESET_TOO_SOON', 'TOO_MANY_ORDERS', 'NOT_SIGNED_IN', 'BUSY'],
])

let names = 0

/** Creators who are poor enough for a reset: what they had is in a token that was rugged. */
async function register(count: number): Promise<Creator[]> {
  const [first] = nodes as [TestServer]
  const rugger = await first.player(`rugger-${++names}`)
  const sink = await rugger.launch()
  const creators = await Promise.all(
    Array.from({ length: count }, async () => {
      const username = `creator-${++names}`
      const player = await first.player(username)
      const tokenId = await player.launch({ initialBuyAmount: '1', seal: { term: 'hour', bag: names % 2 === 0 } })
      await player.buy(sink, '92')
      const { id } = (await player.get('/api/auth/user')).json()
      const at = nodes.map(({ fastify }) => {
        const same = new Visitor(fastify)
        same.cookie = player.cookie
        return same
      })
      return { id, username, at, tokenId, suspendedMs: null }
    }),
  )
  await rugger.post(`/api/tokens/${sink}/rug`, {})
  return creators
}

/** Moves the clock, never back. Returns what the creator does whose seal ends then. */
async function moveClock({ afterMs, isFromEnd, atEnd }: Round, creators: readonly Creator[]): Promise<Act[]> {
  if (!isFromEnd) nowMs += afterMs
  if (!isFromEnd) return []
  const ids = creators.map(({ tokenId }) => tokenId)
  const { rows } = await sql<{ id: number; at: Date }>`
    select p.token_id as id, at from pools p, unnest(array[p.sealed_until, p.bag_sealed_until]) as at
     where p.token_id = any(${ids}) and p.rugged_at is null and at > ${new Date(nowMs + 1)} and at < '9999-01-01'
     order by at limit 1`.execute(database.db)
  const [end] = rows
  if (end === undefined) return []
  nowMs = end.at.getTime() + afterMs
  const creator = ids.indexOf(end.id)
  return [atEnd === 'rug' ? { kind: 'rug', creator } : { kind: 'sell', creator, share: 'all' }]
}

async function play(act: Act, creators: readonly Creator[], node: number): Promise<Told | null> {
  const creator = creators[act.creator] as Creator
  const player = creator.at[node] as Visitor
  const accept = { accept: 'application/json' }
  const order = async (path: string, body: object): Promise<Told> => {
    const { statusCode, body: text } = await player.post(path, body, accept)
    const { code = 'OK', details } = JSON.parse(text)
    if (statusCode >= 500 && code !== 'BUSY') throw new Error(text)
    const untilMs = details?.until === undefined ? null : Date.parse(details.until)
    return { act, creator, atMs: nowMs, code, untilMs }
  }
  const { tokenId } = creator
  switch (act.kind) {
    case 'seal':
      return await order(`/api/tokens/${tokenId}/seal`, { term: act.term, bag: act.bag })
    case 'rug':
      return await order(`/api/tokens/${tokenId}/rug`, {})
    case 'sell': {
      const tokenAmount = await chooseAmount(creator, act.share)
      return tokenAmount === '0' ? null : await order('/api/tokens/sell', { tokenId, tokenAmount })
    }
    case 'buy': {
      const next = creators[(act.creator + 1) % CREATORS] as Creator
      return await order('/api/tokens/buy', { tokenId: act.ofNext ? next.tokenId : tokenId, solAmount: act.sol })
    }
    case 'reset':
      return await order('/api/account/reset', {})
    case 'suspend': {
      const standing = act.isOver ? 'active' : 'suspended'
      await sql`update users set standing = ${standing} where id = ${creator.id}`.execute(database.db)
      return null
    }
    case 'erase':
      await sql`update users set deletion_due_at = now() - interval '1 day' where id = ${creator.id} and deleted_at is null`.execute(
        database.db,
      )
      await deleteDueAccounts((nodes[node] as TestServer).app)
      return null
  }
}

/** Tokens by what the creator holds and has sealed as the order is made. */
async function chooseAmount({ id, tokenId }: Creator, share: string): Promise<string> {
  const { rows } = await sql<{ amount: string | null; sealed: string }>`
    select h.amount, p.bag_sealed_tokens as sealed
      from pools p left join holdings h on h.token_id = p.token_id and h.user_id = ${id}
     where p.token_id = ${tokenId}`.execute(database.db)
  const held = new Decimal(rows[0]?.amount ?? 0)
  const free = Decimal.max(0, held.sub(rows[0]?.sealed ?? 0))
  if (share === 'free') return tokensText(free)
  if (share === 'over') return tokensText(free.add('0.000001'))
  return tokensText(share === 'half' ? held.div(2).toDecimalPlaces(6, Decimal.ROUND_DOWN) : held)
}

/** What was answered against the rules: each SEALED and SEAL_TOO_SHORT names an end that is still to come. */
function findWrongAnswer(told: Told): string | null {
  const { act, code, creator, atMs } = told
  const isSealed = code === 'SEALED' && (act.kind === 'rug' || act.kind === 'sell')
  const isTooShort = code === 'SEAL_TOO_SHORT' && act.kind === 'seal'
  if (isSealed || isTooShort) return isAfter(told) ? null : `${act.kind} was refused by a seal that had ended`
  if (act.kind === 'sell' && code === 'ACCOUNT_SUSPENDED') return 'a suspended creator could not sell'
  if (!USUAL.has(code)) return `${act.kind} was answered with ${code}`
  const isKnown = creator.suspendedMs !== null && creator.suspendedMs + REMEMBERED_MS <= atMs
  return act.kind === 'seal' && code === 'OK' && isKnown ? 'a suspended creator sealed a token' : null
}

/** Plays a round; returns its answers, and the sentences on wrong ones. */
async function playRound(round: Round, creators: readonly Creator[]): Promise<{ told: Told[]; wrong: string[] }> {
  const atEnd = await moveClock(round, creators)
  const acts = [...atEnd.map((act) => ({ act, node: 0 })), ...round.acts]
  for (const { act } of acts) {
    if (act.kind === 'suspend' && act.isOver) (creators[act.creator] as Creator).suspendedMs = null
  }
  const answers = await Promise.all(acts.map(({ act, node }) => play(act, creators, node)))
  const ids = creators.map(({ id }) => id)
  const { rows } = await sql<{ id: number }>`
    select id from users where standing = 'suspended' and id = any(${ids})`.execute(database.db)
  const suspended = new Set(rows.map(({ id }) => id))
  for (const creator of creators) {
    creator.suspendedMs = suspended.has(creator.id) ? (creator.suspendedMs ?? nowMs) : null
  }
  const told = answers.filter((answer) => answer !== null)
  return { told, wrong: told.map(findWrongAnswer).filter((fault) => fault !== null) }
}

async function countRows(creators: readonly Creator[]) {
  const ids = creators.map(({ tokenId }) => tokenId)
  const { rows } = await sql<{ seals: number; rugs: number }>`
    select (select count(*)::int from seals where token_id = any(${ids})) as seals,
           (select count(*)::int from rugs where token_id = any(${ids})) as rugs`.execute(database.db)
  return rows[0]
}

it('keeps every promise of a seal, and none longer, in random evenings on two nodes', async () => {
  const seen = new Map<string, number>()
  const evening = fc.asyncProperty(anyEvening, async (rounds) => {
    const creators = await register(CREATORS)
    const told: Told[] = []
    for (const round of rounds) {
      const played = await playRound(round, creators)
      expect(played.wrong).toEqual([])
      told.push(...played.told)
    }
    for (const { act, code } of told) seen.set(`${act.kind} ${code}`, (seen.get(`${act.kind} ${code}`) ?? 0) + 1)
    const count = (kind: Act['kind']) => told.filter(({ act, code }) => act.kind === kind && code === 'OK').length
    expect(await countRows(creators)).toEqual({ seals: CREATORS + count('seal'), rugs: count('rug') })
    for (const { tokenId } of creators) expect(await findBrokenPromises(database.db, tokenId)).toEqual([])
    expect((await auditMarket(database.pool)).shown).toEqual([])
    const books = await readBooks(database)
    expect(books).toEqual(balancedBooks(books.granted))
  })
  // What raced does not race the same way again, so there is nothing to shrink.
  await fc.assert(evening, { numRuns: EVENINGS, endOnFailure: true })
  expect(nodes.flatMap(errorsIn)).toEqual([])
  const decided = ['seal OK', 'seal SEAL_TOO_SHORT', 'rug OK', 'rug SEALED', 'sell OK', 'sell SEALED', 'reset OK']
  expect(decided.filter((one) => !seen.has(one))).toEqual([])
})
