import { parseSol, parseTokens } from '@papermoon/amm'
import type { DatabaseClient, FairKind, FairsDatabase } from '@papermoon/db'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import {
  type Clock,
  createTradingEngine,
  ENGINE_LIMITS,
  type ReceiptByKind,
  type TokenId,
  type UserId,
} from '@papermoon/engine'
import { addPlayer, aToken } from '@papermoon/engine/testing'
import type { Kysely } from 'kysely'
import { pino } from 'pino'

export const FAIR_STARTS_AT = new Date('2026-03-01T13:00:00.000Z')
export const FAIR_ENDS_AT = new Date('2026-03-01T13:15:00.000Z')

interface FairWish {
  readonly everyoneRanks?: boolean
  readonly limitsBots?: boolean
  readonly isQuick?: boolean
  readonly kind?: FairKind
  readonly name?: string
  readonly stake?: string
  readonly startsAt?: Date
}

interface EntrantWish {
  readonly kind?: 'player' | 'bot' | 'house'
  readonly enteredAt?: Date
}

/** An engine on the fairs' tables of its own database, with short methods for tests. The tests set its clock. */
export interface FairMarket {
  readonly database: TestDatabase
  readonly fairsClient: DatabaseClient
  readonly fairs: Kysely<FairsDatabase>
  readonly clock: { at: Date } & Clock
  /** Opens a fair from 13:00 to 13:15. */
  openFair(wish?: FairWish): Promise<number>
  addUser(wish?: Pick<EntrantWish, 'kind'>): Promise<UserId>
  enter(fairId: number, userId: UserId, enteredAt?: Date): Promise<void>
  addEntrant(fairId: number, wish?: EntrantWish): Promise<UserId>
  leave(fairId: number, userId: UserId): Promise<void>
  launch(fairId: number, userId: UserId, initialBuy?: string): Promise<TokenId>
  buy(userId: UserId, tokenId: TokenId, sol: string): Promise<ReceiptByKind['buy']>
  sell(userId: UserId, tokenId: TokenId, tokens: string): Promise<ReceiptByKind['sell']>
  rug(userId: UserId, tokenId: TokenId): Promise<ReceiptByKind['rug']>
  close(): Promise<void>
}

export async function createFairMarket(): Promise<FairMarket> {
  const database = await createTestDatabase()
  const { db } = database
  const fairsClient = database.reopen({ schema: 'fairs' })
  const fairs = fairsClient.db as unknown as Kysely<FairsDatabase>
  const clock = { at: FAIR_STARTS_AT, now: () => clock.at }
  const log = pino({ level: 'silent' })
  const limits = { ...ENGINE_LIMITS, waitMaxMs: 60_000 }
  const engine = createTradingEngine({ pool: fairsClient.pool, clock, log, publish: () => {}, limits })
  let made = 0

  const findAccount = async (userId: UserId, fairId: number) => {
    const account = await fairs
      .selectFrom('accounts')
      .select('account_id as id')
      .where('user_id', '=', userId)
      .where('fair_id', '=', fairId)
      .executeTakeFirstOrThrow()
    return { userId, accountId: account.id }
  }
  const ofToken = async (userId: UserId, tokenId: TokenId) => {
    const token = await fairs.selectFrom('tokens').select('fair_id').where('id', '=', tokenId).executeTakeFirstOrThrow()
    return await findAccount(userId, token.fair_id)
  }
  const market: FairMarket = {
    database,
    fairsClient,
    fairs,
    clock,
    openFair: async ({ kind = 'arena', name = 'Arena', stake = '100', startsAt = FAIR_STARTS_AT, ...rules } = {}) => {
      const endsAt = new Date(startsAt.getTime() + FAIR_ENDS_AT.getTime() - FAIR_STARTS_AT.getTime())
      const { id } = await db
        .insertInto('fairs')
        .values({
          kind,
          name,
          stake,
          everyone_ranks: rules.everyoneRanks ?? false,
          limits_bots: rules.limitsBots ?? false,
          is_quick: rules.isQuick ?? false,
          lobby_at: startsAt,
          starts_at: startsAt,
          ends_at: endsAt,
          started_at: startsAt,
          // Give each fair its own host, because the house can run only one fair of each kind at a time.
          host_id: await market.addUser(),
          // The bell is far in the future, so that these fairs never end by the database's clock.
          bell_at: new Date('2100-01-01'),
          secret: Buffer.alloc(32, ++made),
          bell_window_s: 60,
          rugs: true,
          entrants_max: 500,
          state: 'open',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    addUser: async ({ kind = 'player' } = {}) => {
      const userId = await addPlayer(database, `player-${++made}`, '100')
      if (kind !== 'player') await db.updateTable('users').set({ kind }).where('id', '=', userId).execute()
      return userId
    },
    enter: async (fairId, userId, enteredAt = FAIR_STARTS_AT) => {
      const { stake } = await db.selectFrom('fairs').select('stake').where('id', '=', fairId).executeTakeFirstOrThrow()
      const account = { fair_id: fairId, user_id: userId, sol_balance: stake, stake, entered_at: enteredAt }
      await fairs.insertInto('accounts').values(account).execute()
    },
    addEntrant: async (fairId, { enteredAt, ...user } = {}) => {
      const userId = await market.addUser(user)
      await market.enter(fairId, userId, enteredAt)
      return userId
    },
    leave: async (fairId, userId) => {
      const { accountId } = await findAccount(userId, fairId)
      await fairs.updateTable('accounts').set({ left_at: clock.now() }).where('account_id', '=', accountId).execute()
    },
    launch: async (fairId, userId, initialBuy) => {
      const account = await findAccount(userId, fairId)
      const fair = { id: fairId, closesAtMs: new Date('2100-01-01').getTime() }
      const sol = initialBuy === undefined ? undefined : parseSol(initialBuy)
      return (await engine.submit({ kind: 'launch', ...account, fair, token: aToken, initialBuy: sol })).tokenId
    },
    buy: async (userId, tokenId, sol) =>
      await engine.submit({ kind: 'buy', ...(await ofToken(userId, tokenId)), tokenId, sol: parseSol(sol) }),
    sell: async (userId, tokenId, tokens) =>
      await engine.submit({ kind: 'sell', ...(await ofToken(userId, tokenId)), tokenId, tokens: parseTokens(tokens) }),
    rug: async (userId, tokenId) => await engine.submit({ kind: 'rug', ...(await ofToken(userId, tokenId)), tokenId }),
    close: async () => {
      await engine.close()
      await fairsClient.close()
      await database.drop()
    },
  }
  return market
}
