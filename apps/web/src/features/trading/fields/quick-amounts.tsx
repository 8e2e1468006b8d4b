import { useState } from 'react'
import { lazyPart } from '../../../lib/boot/lazy-import.ts'
import { storedPresets, storePresets } from '../order/presets.ts'
import { computeShare, OFFERED, type Side } from '../order/preview-trade.ts'
import classes from './quick-amounts.module.css'

const PresetEditor = lazyPart(() => import('./preset-editor.tsx'), 'PresetEditor')

const NAMES = {
  buy: { name: 'Quick buy', edit: 'Edit quick buy amounts' },
  sell: { name: 'Quick sell', edit: 'Edit quick sell amounts' },
} as const

/** More amounts of SOL in a fair, where players must trade their whole stake within minutes. */
const IN_FAIR = ['25']

interface QuickAmountsProps {
  readonly side: Side
  /** Whether the token is in a fair. */
  readonly isInFair: boolean
  /** Exact amount that the player has to pay with. Null if unknown. */
  readonly have: string | null
  readonly text: string
  readonly disabled: boolean
  readonly onPick: (amount: string) => void
}

/** Buttons that fill in an amount: the standard amounts, then the player's own amounts, which can be edited here. */
export function QuickAmounts({ side, isInFair, have, text, disabled, onPick }: QuickAmountsProps) {
  const [presets, setPresets] = useState(storedPresets)
  const [isEdited, setEdited] = useState(false)
  const change = (own: readonly string[]) => {
    const next = { ...presets, [side]: own }
    setPresets(next)
    storePresets(next)
  }
  const toChip = (preset: string) => {
    const amount = toAmount(side, preset, have)
    return (
      <button
        key={preset}
        type="button"
        className={`p-xs ${classes.chip} pill`}
        data-picked={amount !== null && amount === text}
        disabled={disabled || amount === null}
        onClick={() => amount !== null && onPick(amount)}
      >
        {side === 'buy' ? `${preset} SOL` : `${preset}%`}
      </button>
    )
  }
  const { name, edit } = NAMES[side]
  const offered = isInFair && side === 'buy' ? [...OFFERED.buy, ...IN_FAIR] : OFFERED[side]
  const own = presets[side].filter((preset) => !offered.includes(preset))
  return (
    <>
      <div className="top grid mt-s gap-s cols-wide-fit">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out as a row in every browser. */}
        <div className="stack gap-s" role="group" aria-label={name}>
          <div className="row stretch gap-s wrap">{offered.map(toChip)}</div>
          {own.length > 0 && <div className="row stretch gap-s wrap">{own.map(toChip)}</div>}
        </div>
        <button
          type="button"
          className="icon-button"
          aria-label={edit}
          title={edit}
          aria-expanded={isEdited}
          onClick={() => setEdited(!isEdited)}
        >
          <span aria-hidden="true">✎</span>
        </button>
      </div>
      {isEdited && (
        <PresetEditor key={side} side={side} own={presets[side]} onChange={change} onDone={() => setEdited(false)} />
      )}
    </>
  )
}

/** Returns the exact amount of a preset. Returns null if the player has nothing to pay with. */
function toAmount(side: Side, preset: string, have: string | null): string | null {
  if (side === 'buy') return preset
  return have === null || have === '0' ? null : computeShare(have, preset)
}
