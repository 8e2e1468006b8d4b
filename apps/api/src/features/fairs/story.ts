import { setImmediate as giveWay } from 'node:timers/promises'
import { solText } from '@papermoon/amm'
import type { FairStory } from '@papermoon/contract/fairs'
import type { FairsDatabase } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { App } from '../../context.ts'
import { perDatabase } from '../../database/per-database.ts'
import { FairNotFoundError, FairNotOpenError, NotInFairError } from '../../fairs/errors.ts'
import { addEntry, type FairEntry, readAllEntries } from '../../fairs/follow-trades.ts'
import { FairLedger } from '../../fairs/ledger.ts'
import { allowedGift, toSol, toUnits } from '../../fairs/units.ts'
import { getFairsDb } from './ranking.ts'

const MOMENTS = 60
/** Stories of fairs that are kept: they never change. */
const KEPT_MAX = 20

/** How a fair went for everybody in it. */
interface FairStories {
  /** By player: SOL won with each token, fees included, in units. */
  readonly profits: ReadonlyMap<UserId, ReadonlyMap<number, bigint>>
  /** By player: the places at each moment; missing before the entry. */
  readonly places: ReadonlyMap<UserId, FairStory['ranks']>
}

const storiesOf = perDatabase(() => new LRUCache<number, Promise<FairStories>>({ max: KEPT_MAX }))

/** How the caller's own fair went. Throws `FairNotFoundError`, `NotInFairError`, and `FairNotOpenError` before its end. */
export async function getStory(app: App, userId: UserId, fairId: number): Promise<FairStory> {
  const db = getFairsDb(app)
  const fair = await db.selectFrom('fairs').selectAll().where('id', '=', fairId).executeTakeFirst()
  if (fair === undefined) throw new FairNotFoundError()
  if (fair.settled_at === null) throw new FairNotOpenError('The story of this fair is told when it has ended.')
  const result = await db
    .selectFrom('fair_results')
    .selectAll()
    .where('fair_id', '=', fairId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (result === undefined) throw new NotInFairError('You were not in this fair.')
  const cache = storiesOf(app.platform)
  const stories = cache.get(fairId) ?? tellStories(db, fairId)
  cache.set(fairId, stories)
  // A failure is not kept.
  stories.catch(() => cache.delete(fairId))
  const { profits, places } = await stories
  const won = [...(profits.get(userId) ?? [])].sort(([, a], [, b]) => (a < b ? 1 : -1))
  const ranks = (places.get(userId) ?? []).map((rank, index, all) =>
    index === all.length - 1 ? { ...rank, place: result.place } : rank,
  )
  return {
    best: await toStoryTrade(db, won[0], (profit) => profit > 0n),
    worst: await toStoryTrade(db, won.at(-1), (profit) => profit < 0n),
    trades: result.trades,
    ranks,
  }
}

async function toStoryTrade(
  db: Kysely<FairsDatabase>,
  token: readonly [number, bigint] | undefined,
  isShown: (profit: bigint) => boolean,
): Promise<FairStory['best']> {
  if (token === undefined || !isShown(token[1])) return null
  const { id, symbol, emoji } = await db
    .selectFrom('tokens')
    .select(['id', 'symbol', 'emoji'])
    .where('id', '=', token[0])
    .executeTakeFirstOrThrow()
  return { token: { id: id as TokenId, symbol, emoji }, profit: solText(toSol(token[1])) }
}

interface Entrant {
  readonly user_id: number
  readonly entered_at: Date
}

/** Replays a fair, and looks at everybody's place at each moment. */
async function tellStories(db: Kysely<FairsDatabase>, fairId: number): Promise<FairStories> {
  const fair = await db.selectFrom('fairs').selectAll().where('id', '=', fairId).executeTakeFirstOrThrow()
  const entrants = await db
    .selectFrom('accounts')
    .select(['user_id', 'entered_at'])
    .where('fair_id', '=', fairId)
    .execute()
  const launches = await db.selectFrom('tokens').selectAll().where('fair_id', '=', fairId).execute()
  // Times never decrease along a token's numbers, so its entries stay in their order.
  const entries = (await readAllEntries(db, fairId)).sort((a, b) => a.at.getTime() - b.at.getTime() || a.seq - b.seq)
  const [fromMs, untilMs] = [fair.starts_at.getTime(), (fair.bell_at ?? fair.ends_at ?? fair.starts_at).getTime()]
  const replay = new Replay(allowedGift(fair.stake))
  const places = new Map<UserId, { at: string; place: number }[]>()
  let next = 0
  for (let moment = 1; moment <= MOMENTS; moment++) {
    const atMs = moment === MOMENTS ? untilMs : Math.floor(fromMs + ((untilMs - fromMs) * moment) / MOMENTS)
    for (; next < entries.length; next++) {
      const entry = entries[next] as FairEntry
      if (entry.at.getTime() > atMs && moment < MOMENTS) break
      replay.add(entry)
    }
    const isBy = (time: Date) => time.getTime() <= atMs || moment === MOMENTS
    const fees = launches.filter((token) => isBy(token.created_at))
    const scores = replay.scoreAll(
      entrants.filter(({ entered_at }) => isBy(entered_at)),
      fees,
    )
    for (const [index, userId] of scores.entries()) {
      const ranks = places.get(userId) ?? []
      ranks.push({ at: new Date(atMs).toISOString(), place: index + 1 })
      places.set(userId, ranks)
    }
    await giveWay()
  }
  return { profits: replay.profits(), places }
}

class Replay {
  readonly #allowance: bigint
  readonly #ledger = new FairLedger()
  /** Trading fees, by player and token. */
  readonly #fees = new Map<number, Map<number, bigint>>()

  constructor(allowance: bigint) {
    this.#allowance = allowance
  }

  add(entry: FairEntry): void {
    addEntry(this.#ledger, entry)
    const fees = this.#fees.get(entry.userId) ?? new Map<number, bigint>()
    fees.set(entry.tokenId, (fees.get(entry.tokenId) ?? 0n) + entry.fee)
    this.#fees.set(entry.userId, fees)
  }

  /** Entrants by score, the best first. */
  scoreAll(
    entrants: readonly Entrant[],
    launches: readonly { readonly creator_id: number; readonly launch_fee: string }[],
  ): UserId[] {
    const settled = this.#ledger.settle()
    const excess = settled.findExcess(this.#allowance)
    const scores = new Map<number, bigint>()
    for (const { user_id } of entrants) {
      const fees = [...(this.#fees.get(user_id)?.values() ?? [])].reduce((sum, fee) => sum + fee, 0n)
      scores.set(user_id, settled.wonBy(user_id) - fees - (excess.get(user_id) ?? 0n))
    }
    for (const { creator_id, launch_fee } of launches) {
      scores.set(creator_id, (scores.get(creator_id) ?? 0n) - toUnits(launch_fee))
    }
    const ids = entrants.map(({ user_id }) => user_id as UserId)
    const scoreOf = (userId: UserId) => scores.get(userId) ?? 0n
    return ids.sort((a, b) => (scoreOf(a) === scoreOf(b) ? a - b : scoreOf(a) < scoreOf(b) ? 1 : -1))
  }

  profits(): Map<UserId, Map<number, bigint>> {
    const settled = this.#ledger.settle()
    return new Map(
      [...this.#fees].map(([userId, fees]) => [
        userId as UserId,
        new Map([...fees].map(([tokenId, fee]) => [tokenId, settled.wonWith(userId, tokenId) - fee])),
      ]),
    )
  }
}
