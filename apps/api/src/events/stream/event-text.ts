/** The texts of events: their JSON with the names of tokens, and their cursors. */

import { createHash } from 'node:crypto'
import { isFairToken } from '@papermoon/contract/fair-tokens'
import type { Db } from '@papermoon/db'
import { LRUCache } from 'lru-cache'
import type { StreamEvent } from '../journal.ts'

const jsonTexts = new WeakMap<StreamEvent, string>()

/** An event as JSON, serialized once for all subscribers. */
export function toEventJson(event: StreamEvent): string {
  const cached = jsonTexts.get(event)
  if (cached !== undefined) return cached
  // Remove `userId`, because only the owner receives the order.
  const text = JSON.stringify(event.type === 'order' ? { ...event, userId: undefined } : event)
  jsonTexts.set(event, text)
  return text
}

/** Max number of cached tokens, about 20 MB. */
const TOKENS_MAX = 100_000
/** Max ids per query. */
const IDS_MAX = 1_000

interface KnownToken {
  /** Id of the token's fair: 1 is the fairground, 0 means that the token does not exist. */
  readonly fairId: number
  /** Properties that are appended to an event's JSON: `,"name":"…","symbol":"…","emoji":"…"`. */
  readonly names: string
}

/**
 * Caches the name, symbol, emoji and fair of tokens for events without them. Names never change, so each token is read
 * at most once while it is in use. Launch events of the fairground already contain these values.
 */
export class TokenNames {
  readonly #db: Db
  /** Set `maxSize`, because with `max` the cache would reserve all its memory at once. */
  readonly #tokens = new LRUCache<number, KnownToken>({ maxSize: TOKENS_MAX, sizeCalculation: () => 1 })

  constructor(db: Db) {
    this.#db = db
  }

  /** Returns the ids of those tokens in the events whose names are not cached yet. */
  findMissing(events: readonly StreamEvent[]): number[] {
    const missing = new Set<number>()
    for (const event of events) {
      if (event.type === 'fair') continue
      const isWhole = event.type === 'token_launched' && !isFairToken(event.tokenId)
      if (isWhole) this.#tokens.set(event.tokenId, toKnown({ ...event, fair_id: 1 }))
      else if (!this.#tokens.has(event.tokenId)) missing.add(event.tokenId)
    }
    return [...missing]
  }

  /** Reads and caches the names of tokens. Skips tokens that do not exist. */
  async load(tokenIds: readonly number[]): Promise<void> {
    for (let start = 0; start < tokenIds.length; start += IDS_MAX) {
      const ids = tokenIds.slice(start, start + IDS_MAX)
      const rows = await this.#db
        .selectFrom('tokens')
        .select(['id', 'fair_id', 'name', 'symbol', 'emoji'])
        .where('id', 'in', ids)
        .execute()
      for (const id of ids) this.#tokens.set(id, { fairId: 0, names: '' })
      for (const row of rows) this.#tokens.set(row.id, toKnown(row))
    }
  }

  /** Returns the fair of a token, or undefined if it is not cached yet. */
  getFair(tokenId: number): number | undefined {
    return this.#tokens.get(tokenId)?.fairId
  }

  /** Serializes an event with its token's names, and with its fair unless that is the fairground. */
  toJson(event: StreamEvent): string {
    const json = toEventJson(event)
    if (event.type === 'fair') return json
    const { fairId = 0, names = '' } = this.#tokens.get(event.tokenId) ?? {}
    const fair = fairId > 1 ? `,"fairId":${fairId}` : ''
    return `${json.slice(0, -1)}${fair}${event.type === 'token_launched' ? '' : names}}`
  }
}

type TokenRow = Record<'name' | 'symbol' | 'emoji', string> & { readonly fair_id: number }

function toKnown({ fair_id: fairId, name, symbol, emoji }: TokenRow): KnownToken {
  return { fairId, names: `,${JSON.stringify({ name, symbol, emoji }).slice(1, -1)}` }
}

/** First part of a cursor: 1 for the fairground, 2 for other fairs. Both journals count positions separately. */
export type CursorMarket = '1' | '2'
const TAG_CHARS = 8
/** Max length of a text that is parsed; cursors are shorter. */
const CHARS_MAX = 80
/**
 * Cursors of earlier versions have an optional last part, the newest token. Cursors of earlier versions remain valid
 * for a day.
 */
const CONTENT = /^([12])\.([0-9a-f]{8})\.([0-9a-z]{1,11})(\.[0-9a-z]{1,7})?$/
const RADIX = 36

/** Error text for a cursor that belongs to the other market. The error text follows the field's name. */
export const OTHER_MARKET =
  'must be of the same market: events of the fairground, and those that fairs= brings, have cursors of their own'

export interface EventCursor {
  readonly position: number
  /** Whether the cursor was created on this database. Positions in two databases are unrelated. */
  readonly isOwn: boolean
}

/** Cursors as clients see them: opaque texts of letters, digits, `-` and `_`. */
export class EventCursors {
  readonly #tag: string
  readonly #market: CursorMarket

  /** `key` identifies the database. All nodes and restored copies of the database have the same key. */
  constructor(key: Buffer, market: CursorMarket = '1') {
    this.#market = market
    this.#tag = createHash('sha256').update(key).digest('hex').slice(0, TAG_CHARS)
  }

  format(position: number): string {
    return Buffer.from([this.#market, this.#tag, position.toString(RADIX)].join('.')).toString('base64url')
  }

  /** Returns null if the text is not a valid cursor of this market. */
  parse(text: string): EventCursor | null {
    const { market, tag, position } = this.#read(text) ?? {}
    return position !== undefined && market === this.#market ? { position, isOwn: tag === this.#tag } : null
  }

  /** Returns whether a text is a cursor of the other market. */
  isOfOther(text: string): boolean {
    return (this.#read(text)?.market ?? this.#market) !== this.#market
  }

  #read(text: string): { readonly market: string; readonly tag: string; readonly position: number } | null {
    if (text.length > CHARS_MAX) return null
    const content = Buffer.from(text, 'base64url')
    const [, market, tag, digits = '', newestToken] = CONTENT.exec(content.toString('latin1')) ?? []
    if (market === undefined || tag === undefined || content.toString('base64url') !== text) return null
    const position = Number.parseInt(digits, RADIX)
    if (!Number.isSafeInteger(position)) return null
    // In earlier versions, a launch had the same position as the trade before it. For these cursors, send the event at
    // that position again.
    return { market, tag, position: newestToken === undefined ? position : Math.max(0, position - 1) }
  }
}
