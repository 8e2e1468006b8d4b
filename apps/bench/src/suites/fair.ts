import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseClient } from '@papermoon/db'
import { sql } from 'kysely'
import type { BenchContext, Suite } from '../bench.ts'
import { onScratchMarket } from '../dataset/make-dataset.ts'
import { unevenMarket } from '../dataset/market-plan.ts'
import { openBuyer } from '../load/buyer.ts'
import { LoadGenerator } from '../load/load-generator.ts'
import { type Comparison, type Measurement, type Round, toMeasurement } from '../report/measurement.ts'
import { quantile } from '../report/median.ts'
import { openRunDatabase, profilingFlags, startPapermoon } from '../servers/papermoon-server.ts'
import { signInPlayers } from '../servers/sign-in-players.ts'
import { openSocket } from '../sockets/open-socket.ts'

const ENTRANTS = 500
/** Number of sockets. Each stands for a page that shows the arena. */
const SOCKETS = 500
const READERS = 8
/** Number of guests who read the fairground while the arena opens. */
const GUESTS = 2
const BUYERS = 64
const FAIRS = 1_000
const LOBBY_MS = 5_000
const TOKENS = 4
/** Id of the bot that launches the tokens. */
const BOT_ID = ENTRANTS + 1
const ANSWER_MAX_MS = 1_000
const SPREAD_MAX_MS = 250
const FAIRGROUND = ['/api/tokens?limit=24', '/api/leaderboard']

type Db = DatabaseClient['db']

interface FairBench {
  readonly context: BenchContext
  readonly port: number
  readonly db: Db
  readonly cookies: readonly string[]
  readonly load: LoadGenerator
}

export const fair: Suite = {
  name: 'fair',
  about: `${ENTRANTS} entrants trade in the opening second of an arena that ${SOCKETS} sockets watch, and ${FAIRS} fairs in one database against one`,
  run: async (context) => {
    const market = {
      name: 'fair',
      plan: unevenMarket({ tokens: 200, players: BOT_ID, trades: 5_000 }),
      say: context.say,
    }
    return await onScratchMarket(market, (dataDir) => measureOn(context, dataDir))
  },
}

async function measureOn(context: BenchContext, dataDir: string): Promise<Measurement[]> {
  const { port, stop } = await startPapermoon(dataDir, profilingFlags(context))
  const database = await openRunDatabase(dataDir)
  const load = new LoadGenerator()
  try {
    const { db } = database
    await sql`update users set kind = 'house', username = 'Calm Clam', username_key = 'calm clam' where id = ${BOT_ID}`.execute(
      db,
    )
    const cookies = await signInPlayers(db, ENTRANTS)
    const bench = { context, port, db, cookies, load }
    return [...(await measureOpenings(bench)), ...(await measureMany(bench))]
  } finally {
    await load.close()
    await database.close()
    await stop()
  }
}

/**
 * Opens arenas one after another, and measures how the opening affects readers of the fairground, sockets and buyers.
 */
async function measureOpenings(bench: FairBench): Promise<Measurement[]> {
  const rounds: { answers: Round; seen: Round; idle: Round; busy: Round }[] = []
  for (let n = 0; n < Math.min(3, bench.context.rounds); n++) {
    const idle = await readFairground(bench)
    rounds.push({ idle, ...(await watchOpening(bench)) })
  }
  const of = (
    name: string,
    figure: string,
    pick: (one: (typeof rounds)[number]) => Comparison['rounds'][number],
    max: number,
  ) => toMeasurement({ suite: 'fair', name, figure, target: { max }, rounds: rounds.map(pick) })
  const measurements = [
    of(
      'first answers',
      'p99Ms',
      ({ answers }) => ({ subject: answers, baseline: { ...answers, p99Ms: ANSWER_MAX_MS } }),
      1,
    ),
    of(
      'opening seen by all',
      'spreadMs',
      ({ seen }) => ({ subject: seen, baseline: { ...seen, spreadMs: SPREAD_MAX_MS } }),
      1,
    ),
    of('reads of the fairground', 'p50Ms', ({ busy, idle }) => ({ subject: busy, baseline: idle }), 3),
  ]
  for (const { name, figure, subject } of measurements)
    bench.context.say(`  ${name}: ${subject[figure]?.toFixed(1)} ms`)
  return measurements
}

const readFairground = ({ load, port }: FairBench, seconds = 3) =>
  load.run({ port, paths: FAIRGROUND, first: 0, connections: GUESTS, seconds })

async function watchOpening(bench: FairBench): Promise<{ answers: Round; seen: Round; busy: Round }> {
  const { port, db, cookies } = bench
  const startsMs = Date.now() + LOBBY_MS
  const id = await addArena(db, new Date(startsMs))
  const seenAt: number[] = []
  const sockets = await Promise.all(
    cookies.slice(0, SOCKETS).map((cookie) => watch({ port, cookie, id }, () => seenAt.push(performance.now()))),
  )
  await delay(startsMs - Date.now())
  const reading = readFairground(bench, 2)
  const tokens = await untilTokens(port, id)
  const buyers = await Promise.all(
    cookies.map((cookie, n) =>
      openBuyer({ port, transport: 'rest', tokenId: tokens[n % tokens.length] as number }, cookie),
    ),
  )
  const answersMs = await Promise.all(
    buyers.map(async (buyer, n) => {
      await delay((n * 1_000) / ENTRANTS)
      const sentMs = performance.now()
      await buyer.buy(randomUUID())
      return performance.now() - sentMs
    }),
  )
  const busy = await reading
  for (const { close } of [...sockets, ...buyers]) close()
  await endFairs(db)
  if (seenAt.length < SOCKETS) throw new Error(`${seenAt.length} of ${SOCKETS} sockets saw the opening`)
  return {
    answers: { p50Ms: quantile(answersMs, 0.5), p99Ms: quantile(answersMs, 0.99) },
    seen: { spreadMs: Math.max(...seenAt) - Math.min(...seenAt) },
    busy,
  }
}

async function watch(
  { port, cookie, id }: { readonly port: number; readonly cookie: string; readonly id: number },
  opened: () => void,
): Promise<{ close(): void }> {
  let isOpen = false
  const socket = await openSocket(
    { port, path: '/trpc', cookie },
    {
      text: (payload) => {
        if (isOpen || payload.indexOf('"state":"open"') < 0) return
        isOpen = true
        opened()
      },
      lost: (reason) => {
        throw new Error(reason)
      },
    },
  )
  socket.send(
    JSON.stringify({ id: 1, method: 'subscription', params: { input: { json: { id } }, path: 'fairs.watch' } }),
  )
  return socket
}

async function untilTokens(port: number, id: number): Promise<number[]> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/fairs/${id}/tokens`)
    const tokens = (await answer.json()) as { id: number }[]
    if (tokens.length === TOKENS) return tokens.map((token) => token.id)
    await delay(20)
  }
}

/** Adds an arena with all entrants, and a bot that launches its tokens. */
async function addArena(db: Db, startsAt: Date): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into fairs (kind, name, stake, lobby_at, starts_at, ends_at, bell_window_s, secret, house_tokens, bots, entrants_max)
    values ('arena', 'Arena', 100, now(), ${startsAt}, ${startsAt}::timestamptz + interval '15 minutes', 60,
      sha256(random()::text::bytea), ${TOKENS}, 1, ${BOT_ID})
    returning id`.execute(db)
  const id = rows[0]?.id as number
  await sql`
    insert into fairs.accounts (fair_id, user_id, sol_balance, stake)
    select ${id}, id, 100, 100 from users where id <= ${ENTRANTS}`.execute(db)
  return id
}

async function endFairs(db: Db): Promise<void> {
  await sql`update fairs set bell_at = now(), ends_at = now(), bell_window_s = 0 where state = 'open' and id > 1`.execute(
    db,
  )
  for (;;) {
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from fairs where state = 'open' and id > 1`.execute(db)
    if (rows[0]?.n === 0) return
    await delay(100)
  }
}

/** Measures lists, search and orders with one running fair, and with a thousand fairs beside it. */
async function measureMany(bench: FairBench): Promise<Measurement[]> {
  const { db, port, context } = bench
  await sql`delete from fair_results`.execute(db)
  const id = await addArena(db, new Date())
  const [tokenId = 0] = await untilTokens(port, id)
  const reads = [
    { name: 'fairs', path: '/api/fairs' },
    { name: 'tokens of the fair', path: `/api/fairs/${id}/tokens` },
    { name: 'tokens of the fairground', path: '/api/tokens?limit=24' },
    { name: 'search', path: '/api/search?query=to' },
  ]
  const measure = async () => {
    const figures = new Map<string, Round>()
    for (const { name, path } of reads) {
      figures.set(
        name,
        await bench.load.run({ port, paths: [path], first: 0, connections: READERS, seconds: context.roundSeconds }),
      )
    }
    const order = { port, transport: 'rest', tokenId, cookies: bench.cookies.slice(0, BUYERS) } as const
    figures.set('buys in the fair', await bench.load.run({ ...order, seconds: context.roundSeconds }))
    return figures
  }
  await measure()
  const rounds = Math.min(3, context.rounds)
  const alone: Map<string, Round>[] = []
  for (let n = 0; n < rounds; n++) alone.push(await measure())
  await addManyFairs(db, id)
  await measure()
  const among: Map<string, Round>[] = []
  for (let n = 0; n < rounds; n++) among.push(await measure())
  await endFairs(db)
  return [...(alone[0]?.keys() ?? [])].map((name) => {
    const pairs = among.map((figures, n) => ({
      subject: figures.get(name) as Round,
      baseline: alone[n]?.get(name) as Round,
    }))
    const about = { suite: 'fair', name: `${name}, ${FAIRS} fairs`, figure: 'perSecond', target: { min: 0.95 } }
    const measurement = toMeasurement({ ...about, rounds: pairs })
    context.say(`  ${measurement.name}: ${measurement.ratio.toFixed(2)}`)
    return measurement
  })
}

/** Copies a fair, with ten entrants in each copy. One copy in a hundred is running. */
async function addManyFairs(db: Db, id: number): Promise<void> {
  const copies = `generate_series(1, ${FAIRS}) n`
  const columns = async (table: string) => {
    const { rows } = await sql<{ list: string }>`
      select string_agg(quote_ident(column_name), ', ') as list from information_schema.columns
       where table_schema = 'fairs' and table_name = ${table} and is_generated = 'NEVER'
         and column_name not in ('id', 'token_id', 'fair_id', 'account_id', 'request_key', 'hash', 'prev_hash')`.execute(
      db,
    )
    return rows[0]?.list ?? ''
  }
  const first = 2_000_000
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`
    insert into fairs (id, kind, name, stake, lobby_at, starts_at, ends_at, bell_window_s, secret, entrants_max, state, started_at,
        seen_at, bell_at, settled_at)
    select ${first} + n, 'arena', 'Old arena', 100, now() - n * interval '1 hour', now() - n * interval '1 hour',
        now() + interval '1 day', 60, secret, 500, case when n % 100 = 0 then 'open' else 'settled' end, now(), now(),
        now() + interval '1 day', case when n % 100 > 0 then now() - n * interval '1 hour' end
      from fairs f, ${copies} where f.id = ${id}`)
  await run(`
    insert into fairs.accounts (fair_id, user_id, sol_balance, stake)
    select ${first} + n, user_id, sol_balance, stake from fairs.accounts, ${copies} where fair_id = ${id} and user_id <= 10`)
  const tokenOf = `1500000000 + n * ${TOKENS} + t.id % ${TOKENS}`
  const tokens = await columns('tokens')
  await run('alter table fairs.tokens disable trigger user')
  await run(`
    insert into fairs.tokens (id, fair_id, ${tokens}) overriding system value
    select ${tokenOf}, ${first} + n, ${tokens} from fairs.tokens t, ${copies} where fair_id = ${id}`)
  for (const table of ['pools', 'holdings']) {
    const list = await columns(table)
    await run(`
      insert into fairs.${table} (token_id, ${list})
      select ${tokenOf}, ${list.replaceAll(/(\w+)/g, 'x.$1')} from fairs.${table} x join fairs.tokens t on t.id = x.token_id, ${copies}
       where t.fair_id = ${id} ${table === 'holdings' ? 'and x.user_id <= 10' : ''}`)
  }
  await run('alter table fairs.tokens enable trigger user')
  await run('vacuum (analyze)')
}
