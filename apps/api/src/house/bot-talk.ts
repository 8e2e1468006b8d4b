import { randomInt } from 'node:crypto'
import { type Deed, LINES } from '@papermoon/bots'
import type { Db } from '@papermoon/db'
import type { ReceiptByKind, TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart } from '../context.ts'
import { ApiError } from '../errors.ts'
import { DAY_MS, HOUR_MS } from '../lib/durations.ts'
import { toSkeleton } from '../talk/check-post.ts'

/** One of so many deeds is told. */
const ONE_OF: Readonly<Record<Deed, number>> = { launch: 3, bigBuy: 4, soldAll: 6 }
const POSTS_A_DAY = 3
/** SOL of a purchase that is worth a word, and of a last sale. */
const BIG_BUY_SOL = 2
const SOLD_ALL_SOL = 0.5

/** Writes a post as a player's call does. */
export type WriteLine = (userId: UserId, tokenId: TokenId, text: string) => Promise<unknown>

type OrderReceipt = ReceiptByKind[keyof ReceiptByKind]

/** What there is to tell of an order; null: nothing. */
export function toDeed(receipt: OrderReceipt): Deed | null {
  if ('initialTrade' in receipt) return 'launch'
  if (!('trade' in receipt)) return null
  const { trade, position } = receipt
  const sol = Number(trade.solAmount)
  if (trade.side === 'buy') return sol >= BIG_BUY_SOL ? 'bigBuy' : null
  return sol >= SOLD_ALL_SOL && Number(position.amount) === 0 ? 'soldAll' : null
}

/**
 * Lets bots of the house say a line of what they did: seldom, at most one about a token in an hour, and each line once a day. Nobody
 * is answered or named.
 */
export class BotTalk {
  readonly #app: AppPart<'db' | 'log' | 'clock'>
  readonly #write: WriteLine
  readonly #oneOf: Readonly<Record<Deed, number>>
  /** One after another, so that two cannot both find room. */
  #told: Promise<void> = Promise.resolve()

  constructor(app: AppPart<'db' | 'log' | 'clock'>, write: WriteLine, oneOf = ONE_OF) {
    this.#app = app
    this.#write = write
    this.#oneOf = oneOf
  }

  /** Says a word of an order, or none. A refusal, as of a muted bot, is not its caller's. */
  async tell(userId: UserId, receipt: OrderReceipt): Promise<void> {
    const deed = toDeed(receipt)
    if (deed === null || randomInt(this.#oneOf[deed]) > 0) return
    const tokenId = 'trade' in receipt ? receipt.trade.tokenId : receipt.tokenId
    this.#told = this.#told
      .then(() => this.#say(deed, userId, tokenId))
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) this.#app.platform.log.warn({ err: error, userId }, 'a bot could not talk')
      })
    await this.#told
  }

  async #say(deed: Deed, userId: UserId, tokenId: TokenId): Promise<void> {
    const { db, clock } = this.#app.platform
    const nowMs = clock.now().getTime()
    if (!(await hasRoom(db, { userId, tokenId, nowMs }))) return
    const unsaid = await findUnsaid(db, LINES[deed], nowMs)
    const text = unsaid[randomInt(Math.max(1, unsaid.length))]
    if (text !== undefined) await this.#write(userId, tokenId, text)
  }
}

interface Room {
  readonly userId: UserId
  readonly tokenId: TokenId
  readonly nowMs: number
}

/** Whether a bot has said little today, and none of the house anything about the token in this hour. */
async function hasRoom(db: Db, { userId, tokenId, nowMs }: Room): Promise<boolean> {
  const { rows } = await sql<{ has_room: boolean }>`
    select (select count(*) from posts where user_id = ${userId} and created_at > ${new Date(nowMs - DAY_MS)}) < ${POSTS_A_DAY}
       and not exists (select from posts p join users u on u.id = p.user_id where p.topic = ${tokenId}
         and p.parent_id is null and u.kind = 'house' and p.created_at > ${new Date(nowMs - HOUR_MS)}) as has_room`.execute(
    db,
  )
  return rows[0]?.has_room === true
}

/** Lines that nobody said today: a player may have taken one up. */
async function findUnsaid(db: Db, lines: readonly string[], nowMs: number): Promise<readonly string[]> {
  const said = await db
    .selectFrom('posts')
    .select('skeleton')
    .where('skeleton', 'in', lines.map(toSkeleton))
    .where('created_at', '>', new Date(nowMs - DAY_MS))
    .execute()
  const skeletons = new Set(said.map(({ skeleton }) => skeleton))
  return lines.filter((line) => !skeletons.has(toSkeleton(line)))
}
