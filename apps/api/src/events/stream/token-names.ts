import type { Database } from '@papermoon/db'
import type { MarketEvent } from '@papermoon/engine'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'

const jsonTexts = new WeakMap<MarketEvent, string>()

/** An event as JSON, serialized once for all subscribers. */
export function toEventJson(event: MarketEvent): string {
  const cached = jsonTexts.get(event)
  if (cached !== undefined) return cached
  const text = JSON.stringify(event)
  jsonTexts.set(event, text)
  return text
}

/** About 15 MB. */
const TOKENS_MAX = 100_000
/** Max ids of one query. */
const IDS_MAX = 1_000

/**
 * Name, symbol and emoji of tokens, for events that lack them. They never change, so a token is read at most once while it is
 * in use; launches bring theirs along.
 */
export class TokenNames {
  readonly #db: Kysely<Database>
  /** As JSON properties after others: `,"name":"…","symbol":"…","emoji":"…"`. With `max`, room for all is taken at once. */
  readonly #properties = new LRUCache<number, string>({ maxSize: TOKENS_MAX, sizeCalculation: () => 1 })

  constructor(db: Kysely<Database>) {
    this.#db = db
  }

  /** The tokens of events whose names are not known yet. */
  findMissing(events: readonly MarketEvent[]): number[] {
    const missing = new Set<number>()
    for (const event of events) {
      if (event.type === 'token_launched') this.#properties.set(event.tokenId, toProperties(event))
      else if (!this.#properties.has(event.tokenId)) missing.add(event.tokenId)
    }
    return [...missing]
  }

  /** Reads the names of tokens. A token that does not exist gets none. */
  async load(tokenIds: readonly number[]): Promise<void> {
    for (let start = 0; start < tokenIds.length; start += IDS_MAX) {
      const ids = tokenIds.slice(start, start + IDS_MAX)
      const rows = await this.#db
        .selectFrom('tokens')
        .select(['id', 'name', 'symbol', 'emoji'])
        .where('id', 'in', ids)
        .execute()
      for (const id of ids) this.#properties.set(id, '')
      for (const row of rows) this.#properties.set(row.id, toProperties(row))
    }
  }

  /** An event as JSON, with its token's names. */
  toJson(event: MarketEvent): string {
    const json = toEventJson(event)
    if (event.type === 'token_launched') return json
    return `${json.slice(0, -1)}${this.#properties.get(event.tokenId) ?? ''}}`
  }
}

function toProperties({ name, symbol, emoji }: Record<'name' | 'symbol' | 'emoji', string>): string {
  return `,${JSON.stringify({ name, symbol, emoji }).slice(1, -1)}`
}
