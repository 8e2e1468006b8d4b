import type { TokenId } from '../api/api.ts'
import { serverNow } from '../api/server-now.ts'
import { idInAddress } from '../format/id-in-address.ts'
import { readStored, store } from '../ui/stored.ts'
import { INTENT_KEY } from './intent-key.ts'

export interface TradeIntent {
  readonly kind: 'trade'
  readonly side: 'buy' | 'sell'
  readonly tokenId: TokenId
  /** Positive plain decimal text: SOL of a buy, tokens of a sale. */
  readonly amount: string
}

/** Action that a visitor had begun when they were sent to sign in. */
export type Intent =
  | TradeIntent
  /** Launch the token of the kept draft. `symbol` may be empty. */
  | { readonly kind: 'launch'; readonly symbol: string }
  /** Nothing in particular: a new player who has not traded yet. */
  | { readonly kind: 'first-trade' }

/** An older intent is forgotten, ms. */
const KEPT_MS = 30 * 60_000
/** 1,000,000,000 tokens have 10 digits; SOL have 9 decimals. */
const AMOUNT = /^(?=.*[1-9])\d{1,10}(\.\d{1,9})?$/
/** The longest intent is a fraction of this. */
const CHARS_MAX = 300
const SYMBOL_MAX = 10

/** Keeps `intent` in this tab, in place of an earlier one, until it is used, dismissed or 30 minutes old. */
export function keepIntent(intent: Intent): void {
  store(INTENT_KEY, JSON.stringify({ ...intent, keptAtMs: serverNow() }), 'sessionStorage')
}

/** The kept intent; null without one, and for anything that `keepIntent` did not write. */
export function readIntent(): Intent | null {
  try {
    const text = readStored(INTENT_KEY, 'sessionStorage')
    return text === null || text.length > CHARS_MAX ? null : parseIntent(JSON.parse(text))
  } catch {
    return null
  }
}

export function forgetIntent(): void {
  store(INTENT_KEY, null, 'sessionStorage')
}

function parseIntent(kept: unknown): Intent | null {
  if (typeof kept !== 'object' || kept === null) return null
  const { keptAtMs, kind, ...rest } = kept as Record<string, unknown>
  const ageMs = serverNow() - Number(keptAtMs)
  if (!(ageMs >= 0 && ageMs < KEPT_MS)) return null
  if (kind === 'first-trade') return { kind }
  if (kind === 'launch') return { kind, symbol: String(rest.symbol ?? '').slice(0, SYMBOL_MAX) }
  return kind === 'trade' ? parseTrade(rest) : null
}

function parseTrade({ side, tokenId, amount }: Record<string, unknown>): TradeIntent | null {
  const id = idInAddress(String(tokenId)) as TokenId | null
  if (id === null || typeof amount !== 'string' || !AMOUNT.test(amount)) return null
  return side === 'buy' || side === 'sell' ? { kind: 'trade', side, tokenId: id, amount } : null
}

/** Formats plain decimal text with all its digits, grouped by thousands: `1,234.5`. */
export function formatExact(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const digits = fraction.replace(/0+$/, '')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return digits === '' ? grouped : `${grouped}.${digits}`
}
