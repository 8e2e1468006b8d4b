import { Decimal, parseSol, solText } from '@papermoon/amm'
import type { PastChart, TokenMoment } from '@papermoon/contract/past'
import { timeframes } from '@papermoon/contract/tokens'
import { formatNumeric } from '@papermoon/db'
import { DomainError, type TokenId, toTrade, type UserId } from '@papermoon/engine'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import type { App } from '../../../src/context.ts'
import { findHoldings } from '../../../src/features/portfolio/holdings.ts'
import { getChart } from '../../../src/features/tokens/chart/chart.ts'
import { topHolders } from '../../../src/features/tokens/holders.ts'
import { findToken, findTrades } from '../../../src/features/tokens/store.ts'
import { toToken } from '../../../src/features/tokens/to-token.ts'
import { generator } from '../../support/random-trading.ts'

/** The content of the token's page right after an event, and the players' cash-out values. */
export interface Recording extends Pick<TokenMoment, 'token' | 'holders' | 'holdersCount' | 'trades'> {
  readonly tokenId: TokenId
  readonly seq: number
  readonly atMs: number
  readonly charts: readonly PastChart[]
  /** For the first three players: the tokens held, and the SOL for selling them. */
  readonly bags: readonly { readonly userId: UserId; readonly amount: string; readonly cashOutValue: string }[]
}

export interface RecordedMarket {
  readonly market: TestMarket
  readonly app: App
  readonly players: readonly UserId[]
  readonly tokens: readonly TokenId[]
  readonly recordings: readonly Recording[]
  /** Number of rugged tokens. */
  readonly rugs: number
}

const START_MS = Date.parse('2026-01-30T23:58:20.123Z')
/** Pauses between trades, from none to several days. */
const PAUSES_MS = [0, 0, 1, 900, 20_000, 61_000, 1_500_000, 9 * 3_600_000, 4 * 86_400_000]

export interface RecordPlan {
  readonly seed: number
  readonly players: number
  readonly tokens: number
  readonly events: number
}

/** Makes random trades, one after another with its own clock, and records each token's page after each event. */
export async function recordMarket({ seed, players, tokens, events }: RecordPlan): Promise<RecordedMarket> {
  const random = generator(seed)
  let nowMs = START_MS
  const clock = { now: () => new Date(nowMs) }
  const market = await createTestMarket({ clock })
  const userIds = await addPlayers(market, players)
  const app = toApp(market, clock)
  const recordings: Recording[] = []
  const open: { readonly id: TokenId; readonly creator: UserId }[] = []
  const ids: TokenId[] = []
  for (let i = 0; i < tokens; i++) {
    const creator = userIds[i % players] as UserId
    const { tokenId } = await market.engine.submit({
      kind: 'launch',
      userId: creator,
      token: { ...aMoon, name: `T${i}` },
    })
    open.push({ id: tokenId, creator })
    ids.push(tokenId)
    recordings.push(await record(app, tokenId, userIds))
  }
  let rugs = 0
  for (let i = 0; i < events && open.length > 0; i++) {
    nowMs += PAUSES_MS[random(PAUSES_MS.length)] ?? 0
    const index = random(open.length)
    const token = open[index]
    if (token === undefined) continue
    const isRug = i > events / 2 && random(events / 4) === 0
    if (isRug) {
      await market.engine.submit({ kind: 'rug', userId: token.creator, tokenId: token.id })
      open.splice(index, 1)
      rugs++
    } else if (!(await tradeOnce(market, { random, tokenId: token.id, players: userIds }))) continue
    recordings.push(await record(app, token.id, userIds))
  }
  return { market, app, players: userIds, tokens: ids, recordings, rugs }
}

const aMoon = { symbol: 'MOON', emoji: '🌙', description: 'A moon of paper.', website: null, x: null, telegram: null }

async function addPlayers(market: TestMarket, count: number): Promise<UserId[]> {
  const ids: UserId[] = []
  for (let i = 0; i < count; i++) ids.push(await market.addPlayer())
  return ids
}

function toApp({ db }: TestMarket, clock: App['platform']['clock']): App {
  // This cache reads everything from the database.
  const queryCache = { get: (_query: unknown, _input: unknown, read: () => unknown) => read() }
  return { platform: { db, clock }, market: { queryCache } } as unknown as App
}

interface TradeChoice {
  readonly random: (below: number) => number
  readonly tokenId: TokenId
  readonly players: readonly UserId[]
}

/** Buys, sells a part, or sells everything. Returns false if the market rejected the order. */
async function tradeOnce(market: TestMarket, { random, tokenId, players }: TradeChoice): Promise<boolean> {
  const userId = players[random(players.length)] as UserId
  const held = new Decimal(
    (
      await market.db
        .selectFrom('holdings')
        .select('amount')
        .where('token_id', '=', tokenId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
    )?.amount ?? 0,
  )
  const share = random(3) === 0 ? 1_000 : 1 + random(999)
  const tokens = held.mul(share).div(1_000).toDecimalPlaces(6, Decimal.ROUND_DOWN)
  try {
    if (random(2) === 0 && tokens.gt(0)) await market.engine.submit({ kind: 'sell', userId, tokenId, tokens })
    else
      await market.engine.submit({
        kind: 'buy',
        userId,
        tokenId,
        sol: parseSol(`${random(3)}.${1 + random(999_999_999)}`),
      })
    return true
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
  }
}

/** Reads the current content of the page. */
async function record(app: App, tokenId: TokenId, players: readonly UserId[]): Promise<Recording> {
  const row = await findToken(app.platform.db, tokenId, app.platform.clock.now())
  if (row === undefined) throw new Error(`token ${tokenId} is missing`)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from holdings where token_id = ${tokenId} and amount > 0`.execute(app.platform.db)
  const charts: PastChart[] = []
  for (const timeframe of timeframes) {
    charts.push(await getChart(app, { id: tokenId, timeframe, interval: 'auto' }))
  }
  const bags: Recording['bags'][number][] = []
  for (const userId of players.slice(0, 3)) {
    const holding = (await findHoldings(app.platform.db, userId, 'holder')).find((each) => each.tokenId === tokenId)
    const [amount, cashOut] = [holding?.amount ?? new Decimal(0), holding?.cashOut ?? new Decimal(0)]
    bags.push({ userId, amount: formatNumeric(amount.toFixed()), cashOutValue: solText(cashOut) })
  }
  return {
    tokenId,
    seq: row.seq,
    atMs: app.platform.clock.now().getTime(),
    token: toToken(row),
    holders: await topHolders(app, tokenId),
    holdersCount: rows[0]?.count ?? 0,
    trades: (await findTrades(app.platform.db, tokenId, 50)).map(toTrade),
    charts,
    bags,
  }
}
