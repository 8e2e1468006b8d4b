import { randomInt } from 'node:crypto'
import { type Deed, listLines, type StrategyName } from '@papermoon/bots'
import type { Db } from '@papermoon/db'
import type { MarketEvent, ReceiptByKind, TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart } from '../context.ts'
import { ApiError } from '../errors.ts'
import { toSkeleton } from '../features/talk/check-post.ts'
import { DAY_MS, HOUR_MS } from '../lib/durations.ts'

/** On average, a bot writes one post per this number of events. */
const ONE_OF: Readonly<Record<Deed, number>> = {
  launch: 2,
  bigBuy: 3,
  soldUp: 4,
  soldDown: 4,
  sawLaunch: 2,
  sawRise: 6,
  sawFall: 6,
}
/** Max number of posts per bot and day. */
const POSTS_A_DAY = 6
/** Max number of posts by all house bots about one token per hour. */
const TOKEN_POSTS_AN_HOUR = 2
/** How long no bot repeats a text, in ms. */
const REPEATED_AFTER_MS = 6 * HOUR_MS
/** Min SOL of a trade about which a bot posts: its own buy, its last sale, or another player's trade. */
const BIG_BUY_SOL = 2
const SOLD_ALL_SOL = 0.5
const SEEN_SOL = 4

/** Writes a post in the same way as a player's call does. */
export type WriteLine = (userId: UserId, tokenId: TokenId, text: string) => Promise<unknown>

/** A house bot. The words of a bot depend on its strategy. */
export interface Talker {
  readonly userId: UserId
  readonly strategy: StrategyName
}

type OrderReceipt = ReceiptByKind[keyof ReceiptByKind]

/** An event that a bot can post about, and its token. */
interface Subject {
  readonly deed: Deed
  readonly tokenId: TokenId
}

/**
 * Returns what a bot can say about its order. Returns null if there is nothing to say. `cost` is the SOL that the bot
 * paid for its tokens.
 */
function toSubject(receipt: OrderReceipt, cost: number): Subject | null {
  if ('initialTrade' in receipt) return { deed: 'launch', tokenId: receipt.tokenId }
  if (!('trade' in receipt)) return null
  const { trade, position } = receipt
  const { tokenId } = trade
  const sol = Number(trade.solAmount)
  if (trade.side === 'buy') return sol >= BIG_BUY_SOL ? { deed: 'bigBuy', tokenId } : null
  if (sol < SOLD_ALL_SOL || Number(position.amount) > 0) return null
  return { deed: sol > cost ? 'soldUp' : 'soldDown', tokenId }
}

/** Returns what a bot can say about an event of another player. Returns null if there is nothing to say. */
function toSight(event: MarketEvent): Deed | null {
  if (event.type === 'token_launched') return 'sawLaunch'
  if (event.type !== 'trade' || Number(event.trade.solAmount) < SEEN_SOL) return null
  return event.trade.side === 'buy' ? 'sawRise' : 'sawFall'
}

/**
 * Lets house bots post lines about their own orders and about others' events. House bots post rarely: about one token
 * at most twice an hour, and never in a rug court. House bots never reply to anyone or mention anyone.
 */
export class BotTalk {
  readonly #app: AppPart<'db' | 'log' | 'clock'>
  readonly #write: WriteLine
  readonly #oneOf: Readonly<Record<Deed, number>>
  /** Write posts one after another, so that two posts cannot both pass the limits. */
  #posting: Promise<void> = Promise.resolve()

  constructor(app: AppPart<'db' | 'log' | 'clock'>, write: WriteLine, oneOf = ONE_OF) {
    this.#app = app
    this.#write = write
    this.#oneOf = oneOf
  }

  /** Sometimes posts about the bot's order. `cost` is the SOL that the bot paid for its tokens. */
  async tell(bot: Talker, receipt: OrderReceipt, cost = 0): Promise<void> {
    const subject = toSubject(receipt, cost)
    if (subject !== null && this.#isChosen(subject)) await this.#post(bot, subject)
  }

  /** Sometimes posts about an event of another player. `choose` returns the bot that posts. */
  async see(event: MarketEvent, choose: () => Promise<Talker | null>): Promise<void> {
    const deed = toSight(event)
    if (deed === null || !this.#isChosen({ deed })) return
    const bot = await choose()
    if (bot !== null) await this.#post(bot, { deed, tokenId: event.tokenId })
  }

  #isChosen({ deed }: Pick<Subject, 'deed'>): boolean {
    return randomInt(this.#oneOf[deed]) === 0
  }

  /** Ignore a rejected post, for example of a muted bot, because the caller can do nothing about it. */
  async #post(bot: Talker, subject: Subject): Promise<void> {
    this.#posting = this.#posting
      .then(() => this.#say(bot, subject))
      .catch((error: unknown) => {
        const { log } = this.#app.platform
        if (!(error instanceof ApiError)) log.warn({ err: error, userId: bot.userId }, 'a bot could not talk')
      })
    await this.#posting
  }

  async #say({ userId, strategy }: Talker, { deed, tokenId }: Subject): Promise<void> {
    const { db, clock } = this.#app.platform
    const nowMs = clock.now().getTime()
    if (!(await hasRoom(db, { userId, tokenId, nowMs }))) return
    for (const lines of listLines(deed, strategy)) {
      const unsaid = await findUnsaid(db, lines, { userId, nowMs })
      const text = unsaid[randomInt(Math.max(1, unsaid.length))]
      if (text === undefined) continue
      await this.#write(userId, tokenId, text)
      return
    }
  }
}

interface Room {
  readonly userId: UserId
  readonly tokenId: TokenId
  readonly nowMs: number
}

/** Returns whether the bot may post again today, and whether house bots may post about this token in this hour. */
async function hasRoom(db: Db, { userId, tokenId, nowMs }: Room): Promise<boolean> {
  const { rows } = await sql<{ has_room: boolean }>`
    select (select count(*) from posts where user_id = ${userId} and created_at > ${new Date(nowMs - DAY_MS)})
           < ${POSTS_A_DAY}
       and (select count(*) from posts p join users u on u.id = p.user_id where p.topic = ${tokenId}
         and p.parent_id is null and u.kind = 'house' and p.created_at > ${new Date(nowMs - HOUR_MS)})
           < ${TOKEN_POSTS_AN_HOUR}
       and not exists (select from pools where token_id = ${tokenId} and rugged_at is not null) as has_room`.execute(db)
  return rows[0]?.has_room === true
}

/** Returns the texts that this bot has not posted today and that no bot has posted in the last hours. */
async function findUnsaid(
  db: Db,
  lines: readonly string[],
  { userId, nowMs }: Pick<Room, 'userId' | 'nowMs'>,
): Promise<readonly string[]> {
  if (lines.length === 0) return []
  const { rows } = await sql<{ skeleton: number }>`
    select skeleton from posts where skeleton = any(${lines.map(toSkeleton)}::bigint[])
       and created_at > ${new Date(nowMs - DAY_MS)}
       and (user_id = ${userId} or created_at > ${new Date(nowMs - REPEATED_AFTER_MS)})`.execute(db)
  const skeletons = new Set(rows.map(({ skeleton }) => Number(skeleton)))
  return lines.filter((line) => !skeletons.has(toSkeleton(line)))
}
