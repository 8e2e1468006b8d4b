import type { TokenId } from '../api/api.ts'
import { serverNow } from '../api/server-now.ts'
import { idInAddress } from '../format/id-in-address.ts'
import { readStored, store } from '../ui/stored.ts'
import { INTENT_KEY } from './intent-key.ts'

export interface TradeIntent {
  readonly kind: 'trade'
  readonly side: 'buy' | 'sell'
  readonly tokenId: TokenId
  /** The amount as positive decimal text: SOL for a purchase, tokens for a sale. */
  readonly amount: string
}

/** An action that a visitor began before login. */
export type Intent =
  | TradeIntent
  /** The player wants to launch the token in the stored draft. `symbol` may be empty. */
  | { readonly kind: 'launch'; readonly symbol: string }
  /** The player is new, has not traded yet, and began nothing particular before login. */
  | { readonly kind: 'first-trade' }

/** How long the action stays stored, in ms. */
const STORED_MS = 30 * 60_000
/** Max number of characters of an amount. A supply of 1,000,000,000 tokens has 10 digits, and SOL has 9 decimals. */
const AMOUNT = /^(?=.*[1-9])\d{1,10}(\.\d{1,9})?$/
/** Max length of a stored action, in characters. The longest real action is much shorter. */
const CHARS_MAX = 300
const SYMBOL_MAX = 10

/**
 * Stores `intent` in this tab for at most 30 minutes, until the player continues or dismisses it. Replaces an earlier
 * action.
 */
export function storeIntent(intent: Intent): void {
  store(INTENT_KEY, JSON.stringify({ ...intent, keptAtMs: serverNow() }), 'sessionStorage')
}

/** Returns the stored action. Returns null if there is none, or if the text does not come from `storeIntent`. */
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

function parseIntent(stored: unknown): Intent | null {
  if (typeof stored !== 'object' || stored === null) return null
  const { keptAtMs, kind, ...rest } = stored as Record<string, unknown>
  const ageMs = serverNow() - Number(keptAtMs)
  if (!(ageMs >= 0 && ageMs < STORED_MS)) return null
  if (kind === 'first-trade') return { kind }
  if (kind === 'launch') return { kind, symbol: String(rest.symbol ?? '').slice(0, SYMBOL_MAX) }
  return kind === 'trade' ? parseTrade(rest) : null
}

function parseTrade({ side, tokenId, amount }: Record<string, unknown>): TradeIntent | null {
  const id = idInAddress(String(tokenId)) as TokenId | null
  if (id === null || typeof amount !== 'string' || !AMOUNT.test(amount)) return null
  return side === 'buy' || side === 'sell' ? { kind: 'trade', side, tokenId: id, amount } : null
}

/** Formats decimal text with all its digits, grouped by thousands, such as `1,234.5`. */
export function formatExact(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const digits = fraction.replace(/0+$/, '')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return digits === '' ? grouped : `${grouped}.${digits}`
}
