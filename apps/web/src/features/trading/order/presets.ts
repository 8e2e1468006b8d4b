import { Decimal, SOL_DECIMALS } from '@papermoon/amm'
import { readStored, store } from '../../../lib/ui/stored.ts'
import type { Side } from './preview-trade.ts'
import { computeShare } from './share.ts'

/** The amounts that every player is offered: SOL of a buy, percent of the holding in a sale. */
export const OFFERED: Readonly<Record<Side, readonly string[]>> = {
  buy: ['1', '5', '10'],
  sell: ['25', '50', '75', '100'],
}

/** Amounts that a player added to `OFFERED`, in ascending order; none by default. */
export type Presets = Readonly<Record<Side, readonly string[]>>

export const OWN_MAX = 4
/** Entries of the storage that are looked at. */
const READ_MAX = 20
const KEY = 'papermoon-presets'
const NONE: Presets = { buy: [], sell: [] }
const LIMITS = {
  buy: { max: '1000000', decimals: SOL_DECIMALS },
  sell: { max: '100', decimals: 2 },
} as const

export type PresetProblem = 'full' | 'invalid' | 'known'

/** The player's own amounts, kept in this browser. Ignores what is not valid. */
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

/** The player's own amounts of a side with `text` added, or why it cannot be. */
export function addPreset(own: readonly string[], side: Side, text: string): readonly string[] | PresetProblem {
  const amount = normalize(side, text)
  if (amount === null) return 'invalid'
  if ([...OFFERED[side], ...own].includes(amount)) return 'known'
  if (own.length >= OWN_MAX) return 'full'
  return [...own, amount].sort((a, b) => new Decimal(a).cmp(b))
}

/**
 * Whether an exact amount is one that everyone is offered: those are never asked about. `have` is what the player holds
 * of what is paid.
 */
export function isOffered(side: Side, amount: string, have: string | null): boolean {
  if (side === 'buy') return OFFERED.buy.some((sol) => new Decimal(amount).eq(sol))
  return have !== null && OFFERED.sell.some((percent) => new Decimal(amount).eq(computeShare(have, percent)))
}

function readSide(stored: unknown, side: Side): readonly string[] {
  const kept: unknown = stored !== null && typeof stored === 'object' ? (stored as Record<string, unknown>)[side] : null
  if (!Array.isArray(kept)) return []
  return kept.slice(0, READ_MAX).reduce<readonly string[]>((own, text) => {
    const next = typeof text === 'string' ? addPreset(own, side, text) : 'invalid'
    return typeof next === 'string' ? own : next
  }, [])
}

/** An amount without superfluous zeros; null if it is out of bounds. */
function normalize(side: Side, text: string): string | null {
  if (!/^\d{1,12}(\.\d{1,9})?$/.test(text)) return null
  const amount = new Decimal(text)
  const { max, decimals } = LIMITS[side]
  return amount.gt(0) && amount.lte(max) && amount.dp() <= decimals ? amount.toFixed() : null
}
