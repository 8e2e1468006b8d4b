import { Decimal, SOL_DECIMALS } from '@papermoon/amm'
import { readStored, store } from '../../../lib/ui/stored.ts'
import { OFFERED, type Side } from './preview-trade.ts'

/** Amounts that the player added to `OFFERED`, in ascending order. A new player has no such amounts. */
type Presets = Readonly<Record<Side, readonly string[]>>

export const OWN_MAX = 4
/** Max number of stored entries that are read. */
const READ_MAX = 20
const KEY = 'papermoon-presets'
const NONE: Presets = { buy: [], sell: [] }
const LIMITS = {
  buy: { max: '1000000', decimals: SOL_DECIMALS },
  sell: { max: '100', decimals: 2 },
} as const

export type PresetProblem = 'full' | 'invalid' | 'known'

/** Returns the player's own amounts, which this browser stores. Ignores invalid entries. */
export function storedPresets(): Presets {
  try {
    const stored: unknown = JSON.parse(readStored(KEY) ?? '{}')
    return { buy: readSide(stored, 'buy'), sell: readSide(stored, 'sell') }
  } catch {
    return NONE
  }
}

export function storePresets(presets: Presets): void {
  store(KEY, presets.buy.length + presets.sell.length === 0 ? null : JSON.stringify(presets))
}

/** Returns the player's own amounts with `text` added, or the reason why `text` cannot be added. */
export function addPreset(own: readonly string[], side: Side, text: string): readonly string[] | PresetProblem {
  const amount = normalize(side, text)
  if (amount === null) return 'invalid'
  if ([...OFFERED[side], ...own].includes(amount)) return 'known'
  if (own.length >= OWN_MAX) return 'full'
  return [...own, amount].sort((a, b) => new Decimal(a).cmp(b))
}

function readSide(stored: unknown, side: Side): readonly string[] {
  const amounts: unknown =
    stored !== null && typeof stored === 'object' ? (stored as Record<string, unknown>)[side] : null
  if (!Array.isArray(amounts)) return []
  return amounts.slice(0, READ_MAX).reduce<readonly string[]>((own, text) => {
    const next = typeof text === 'string' ? addPreset(own, side, text) : 'invalid'
    return typeof next === 'string' ? own : next
  }, [])
}

/** Returns an amount without unneeded zeros, or null if the amount is out of range. */
function normalize(side: Side, text: string): string | null {
  if (!/^\d{1,12}(\.\d{1,9})?$/.test(text)) return null
  const amount = new Decimal(text)
  const { max, decimals } = LIMITS[side]
  return amount.gt(0) && amount.lte(max) && amount.dp() <= decimals ? amount.toFixed() : null
}

/** Returns whether a typed text, which may be incomplete, equals an exact amount. */
export function isAmount(text: string, amount: string): boolean {
  return /^\d+\.?\d*$/.test(text) && new Decimal(text).eq(amount)
}
