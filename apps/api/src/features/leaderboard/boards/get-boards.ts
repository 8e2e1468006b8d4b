import { solText } from '@papermoon/amm'
import {
  type AllTimeBoard,
  allTimeBoard,
  type CreatorsBoard,
  creatorsBoard,
  type RugBoard,
  rugBoard,
} from '@papermoon/contract/leaderboard'
import type { Db } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { defineTimedQuery } from '../../../cache/query-cache.ts'
import { BackgroundRead } from '../../../cache/shared-read.ts'
import type { AppPart, Platform } from '../../../context.ts'
import { visibleTokens } from '../../../database/conditions.ts'
import { inSnapshot } from '../../../database/snapshot.ts'
import { isRecent, prepareRanking } from '../store.ts'
import { type Boards, computeBoards, IS_ELIGIBLE } from './compute-boards.ts'

/** Max time for the statement in ms. The statement runs in the background and reads all trades. */
const STATEMENT_TIMEOUT_MS = 120_000

/** The all-time boards. The boards are computed at most once a minute, and only while someone views them. */
const createBoards = ({ db, log }: Pick<Platform, 'db' | 'log'>) =>
  new BackgroundRead<Boards>({
    read: () =>
      inSnapshot(db, async (snapshot) => {
        await prepareRanking(snapshot, STATEMENT_TIMEOUT_MS)
        return await computeBoards(snapshot)
      }),
    onError: (error) => log.warn({ err: error }, 'the leaderboards could not be updated; serving the previous ones'),
  })

function readBoards({ platform, market }: Parts): Promise<Boards> {
  return market.memory.state(createBoards, platform).get(platform.clock.now().getTime())
}

const PLACES_SHOWN = 10

type Parts = AppPart<'db' | 'log' | 'clock' | 'queryCache' | 'memory'>

// Reads names, pictures and hidden accounts every 30 seconds; `readBoards` computes the ranking.
const allTimeQuery = defineTimedQuery<null, AllTimeBoard>({
  name: 'all-time board',
  schema: allTimeBoard,
  isFresh: isRecent,
})
const creatorsQuery = defineTimedQuery<null, CreatorsBoard>({
  name: 'creators’ board',
  schema: creatorsBoard,
  isFresh: isRecent,
})
const rugsQuery = defineTimedQuery<null, RugBoard>({ name: 'rug board', schema: rugBoard, isFresh: isRecent })

/** Returns the players with the largest counted profit of all time. */
export async function getAllTimeBoard(app: Parts): Promise<AllTimeBoard> {
  return await app.market.queryCache.get(allTimeQuery, null, async () => {
    const { allTime } = await readBoards(app)
    return await withPlayers(app.platform.db, allTime, ({ profit, trades }) => ({
      totalPnL: solText(profit),
      tradesCount: trades,
    }))
  })
}

/** Returns the creators into whose open tokens other players put the most SOL. */
export async function getCreatorsBoard(app: Parts): Promise<CreatorsBoard> {
  return await app.market.queryCache.get(creatorsQuery, null, async () => {
    const { creators } = await readBoards(app)
    return await withPlayers(app.platform.db, creators, ({ backing, backers, launched, rugged }) => ({
      backing: solText(backing),
      backers,
      launched,
      rugged,
    }))
  })
}

/** Returns the rug pulls that took the most SOL from other players. */
export async function getRugBoard(app: Parts): Promise<RugBoard> {
  return await app.market.queryCache.get(rugsQuery, null, async () => {
    const { rugs } = await readBoards(app)
    const listed = await findListedRugs(
      app.platform.db,
      rugs.map(({ tokenId }) => tokenId),
    )
    return rugs
      .flatMap(({ tokenId, taken, holders }) => {
        const rug = listed.get(tokenId)
        return rug === undefined
          ? []
          : [{ ...rug, ruggedAt: rug.ruggedAt.toISOString(), taken: solText(taken), holders }]
      })
      .slice(0, PLACES_SHOWN)
      .map((rug, index) => ({ rank: index + 1, ...rug }))
  })
}

/** Ranks those entries whose players may still appear on a board. */
async function withPlayers<Ranked extends { readonly userId: UserId }, Figures>(
  db: Db,
  ranked: readonly Ranked[],
  toFigures: (each: Ranked) => Figures,
): Promise<(Figures & ListedPlayer & { rank: number })[]> {
  const players = await findListedPlayers(
    db,
    ranked.map(({ userId }) => userId),
  )
  return ranked
    .flatMap((each) => {
      const player = players.get(each.userId)
      return player === undefined ? [] : [{ ...player, ...toFigures(each) }]
    })
    .slice(0, PLACES_SHOWN)
    .map((entry, index) => ({ rank: index + 1, ...entry }))
}

/** A player on a board. */
interface ListedPlayer {
  readonly userId: UserId
  readonly username: string
  readonly profilePictureUrl: string | null
}

/** A rug pull on the board of rug pulls. */
interface ListedRug {
  readonly tokenId: TokenId
  readonly tokenName: string
  readonly tokenSymbol: string
  readonly emoji: string
  readonly seq: number
  readonly ruggedAt: Date
  readonly creator: ListedPlayer
}

/** Finds the players who may still be on a board. */
async function findListedPlayers(db: Db, ids: readonly UserId[]): Promise<Map<UserId, ListedPlayer>> {
  const { rows } = await sql<ListedPlayer>`
    select id as "userId", username, profile_picture_url as "profilePictureUrl" from users u
     where id = any(${ids}::int[]) and ${IS_ELIGIBLE}`.execute(db)
  return new Map(rows.map((player) => [player.userId, player]))
}

/** Finds the rug pulls of visible tokens by creators who may still be on a board. */
async function findListedRugs(db: Db, ids: readonly TokenId[]): Promise<Map<TokenId, ListedRug>> {
  const { rows } = await sql<ListedRug>`
    select t.id as "tokenId", t.name as "tokenName", t.symbol as "tokenSymbol", t.emoji, r.seq, r.created_at as "ruggedAt",
           json_build_object('userId', u.id, 'username', u.username, 'profilePictureUrl', u.profile_picture_url) as creator
      from ${visibleTokens} t join rugs r on r.token_id = t.id join users u on u.id = t.creator_id
     where t.id = any(${ids}::int[]) and ${IS_ELIGIBLE}`.execute(db)
  return new Map(rows.map((rug) => [rug.tokenId, rug]))
}
