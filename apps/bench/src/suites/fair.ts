import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseClient } from '@papermoon/db'
import { sql } from 'kysely'
import type { Suite } from '../bench.ts'
import { makeScratchMarket } from '../dataset/make-dataset.ts'
import { unevenMarket } from '../dataset/market-plan.ts'
import { atPace } from '../load/at-pace.ts'
import { buyOnce } from '../load/buy.ts'
import { call } from '../load/call.ts'
import { runLoad } from '../load/run-load.ts'
import { type Comparison, type Round, toMeasurement } from '../report/measurement.ts'
import { quantile } from '../report/median.ts'
import { startMarket } from '../servers/start-market.ts'
import { openSocket } from '../sockets/open-socket.ts'

const ENTRANTS = 500
/** Number of guests who read the fairground while the arena opens. */
const GUESTS = 2
const LOBBY_MS = 5_000
const TOKENS = 4
/** Id of the bot that launches the tokens. */
const BOT_ID = ENTRANTS + 1
const ANSWER_MAX_MS = 1_000
const SPREAD_MAX_MS = 250
const FAIRGROUND = ['/api/tokens?limit=24', '/api/leaderboard']

type Db = DatabaseClient['db']

interface FairBench {
  readonly port: number
  readonly db: Db
  readonly cookies: readonly string[]
}

export const fair: Suite = {
  name: 'fair',
  about: `${ENTRANTS} entrants trade in the opening second of an arena that as many sockets watch`,
  run: async (context) => {
    const dataDir = await makeScratchMarket(context, unevenMarket({ tokens: 200, players: BOT_ID, trades: 5_000 }))
    const { port, db, cookies } = await startMarket(context, dataDir, ENTRANTS)
    await sql`update users set kind = 'house', username = 'Calm Clam', username_key = 'calm clam' where id = ${BOT_ID}`.execute(
      db,
    )
    const bench = { port, db, cookies }
    const rounds: (Opening & { idle: Round })[] = []
    for (let n = 0; n < Math.min(3, context.rounds); n++) {
      const idle = await readFairground(port)
      rounds.push({ idle, ...(await watchOpening(bench)) })
    }
    const compareRounds = (
      { name, figure, max }: { readonly name: string; readonly figure: string; readonly max: number },
      pick: (one: (typeof rounds)[number]) => Comparison['rounds'][number],
    ) => {
      const measurement = toMeasurement({ suite: 'fair', name, figure, target: { max }, rounds: rounds.map(pick) })
      context.say(`  ${name}: ${measurement.subject[figure]?.toFixed(1)} ms`)
      return measurement
    }
    return [
      compareRounds({ name: 'first answers', figure: 'p99Ms', max: 1 }, ({ answers }) => ({
        subject: answers,
        baseline: { ...answers, p99Ms: ANSWER_MAX_MS },
      })),
      compareRounds({ name: 'opening seen by all', figure: 'spreadMs', max: 1 }, ({ seen }) => ({
        subject: seen,
        baseline: { ...seen, spreadMs: SPREAD_MAX_MS },
      })),
      compareRounds({ name: 'reads of the fairground', figure: 'p50Ms', max: 3 }, ({ busy, idle }) => ({
        subject: busy,
        baseline: idle,
      })),
    ]
  },
}

const readFairground = (port: number, seconds = 3) => runLoad({ port, paths: FAIRGROUND, connections: GUESTS, seconds })

interface Opening {
  readonly answers: Round
  readonly seen: Round
  readonly busy: Round
}

/** Opens an arena. Measures how the start of an arena affects readers of the fairground, sockets and buyers. */
async function watchOpening({ port, db, cookies }: FairBench): Promise<Opening> {
  const startsMs = Date.now() + LOBBY_MS
  const id = await addArena(db, new Date(startsMs))
  const seenAt: number[] = []
  const watchers = cookies.map((cookie) => watch({ port, cookie, id }, () => seenAt.push(performance.now())))
  const sockets = await Promise.all(watchers)
  await delay(startsMs - Date.now())
  const reading = readFairground(port, 2)
  const tokens = await untilTokens(port, id)
  const answersMs = await atPace({ perSecond: ENTRANTS, seconds: 1 }, (n) =>
    buyOnce(port, { tokenId: tokens[n % tokens.length] as number, cookie: cookies[n] }),
  )
  const busy = await reading
  for (const { close } of sockets) close()
  await endFairs(db)
  if (seenAt.length < ENTRANTS) throw new Error(`${seenAt.length} of ${ENTRANTS} sockets saw the opening`)
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
  const listener = {
    text: (payload: Buffer) => {
      if (isOpen || payload.indexOf('"state":"open"') < 0) return
      isOpen = true
      opened()
    },
    lost: (reason: string) => {
      throw new Error(reason)
    },
  }
  const socket = await openSocket({ port, path: '/trpc', cookie }, listener)
  const params = { input: { json: { id } }, path: 'fairs.watch' }
  socket.send(JSON.stringify({ id: 1, method: 'subscription', params }))
  return socket
}

async function untilTokens(port: number, id: number): Promise<number[]> {
  for (;;) {
    const tokens = (await (await call(port, `/api/fairs/${id}/tokens`)).json()) as { id: number }[]
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
    const { rows } = await sql`select from fairs where state = 'open' and id > 1`.execute(db)
    if (rows.length === 0) return
    await delay(100)
  }
}
