import { formatSol } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, useState } from 'react'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import type { NetWorth } from '../net-worth/worth-line.ts'
import { type AllocationPart, computeAllocation } from './allocation.ts'
import classes from './allocation-panel.module.css'

/** The gap between two parts of the ring and the min size of a part, as fractions of the ring. */
const GAP = 0.006
const LEAST = 0.004

/**
 * Shows the parts of the player's net worth as a ring and in numbers. The net worth `worth` is undefined while it is
 * loading.
 */
export function AllocationPanel({ worth }: { worth: NetWorth | undefined }) {
  return (
    <Panel title="Allocation" aside={worth !== undefined && worth.openPools > 0 && <RugNow worth={worth} />}>
      {worth === undefined ? <Skeleton label="Loading allocation" height={216} /> : <Allocation worth={worth} />}
    </Panel>
  )
}

/**
 * Shows how much SOL the player would get by rugging their own tokens. The ring does not show this amount, because it
 * already contains the same SOL.
 */
function RugNow({ worth: { ownPools, ownBags } }: { worth: NetWorth }) {
  const title = `If you sold your own tokens instead, you would get ${ownBags} of these ${ownPools} SOL`
  return (
    <p className="small" title={title}>
      You would get <strong>{formatSol(ownPools)}</strong> SOL by rugging now
    </p>
  )
}

function Allocation({ worth }: { worth: NetWorth }) {
  const [lit, setLit] = useState<string | null>(null)
  const parts = computeAllocation(worth)
  const shown = parts.find(({ key }) => key === lit) ?? parts[0]
  return (
    <div className={`grid middle gap-xl cols-fit-wide phone-one-col ${classes.body}`}>
      <div className={`relative ${classes.ring}`}>
        <Ring parts={parts} lit={lit} onLit={setLit} />
        {shown !== undefined && (
          <div className="cover grid gap-xs untouchable place-center items-center" aria-hidden="true">
            <span className="emoji text-2xl tight">{shown.emoji}</span>
            <strong>{shown.share}</strong>
          </div>
        )}
      </div>
      <ul className={`grid cols-2 ${classes.legend}`}>
        {parts.map((part, index) => (
          <li
            key={part.key}
            className={`p-xs-s round-s text-s grid gap-s middle bleed-s relative ${part.key === lit ? 'on-raised' : ''} ${classes.part}`}
            onPointerEnter={() => setLit(part.key)}
            onPointerLeave={() => setLit(null)}
          >
            <span
              className={`round-s emoji text-s solid boxed ${classes.swatch}`}
              style={getTone(part, index)}
              aria-hidden="true"
            >
              {part.emoji}
            </span>
            <Name part={part} />
            <span className={`text-right nowrap ${classes.sol}`} title={`${part.sol} SOL`}>
              {formatSol(part.sol)} <small>SOL</small>
            </span>
            <span className={`text-right nowrap dim ${classes.share}`}>{part.share}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Name({ part: { tokenId, name } }: { part: AllocationPart }) {
  if (tokenId === null) return <span className={`bold bare hover-underlined cut ${classes.name}`}>{name}</span>
  return (
    <Link
      to="/token/$id"
      params={{ id: String(tokenId) }}
      className={`bold bare hover-underlined cut ${classes.name}`}
      title={name}
    >
      {name}
    </Link>
  )
}

interface RingProps {
  readonly parts: readonly AllocationPart[]
  readonly lit: string | null
  readonly onLit: (key: string | null) => void
}

function Ring({ parts, lit, onLit }: RingProps) {
  const isWhole = parts.length === 1
  return (
    <svg viewBox="0 0 100 100" role="img" aria-label={describeParts(parts)}>
      <circle fill="none" stroke="var(--pm-sunken)" strokeWidth="15" cx="50" cy="50" r="40" />
      {parts.map((part, index) => {
        if (part.size === 0) return null
        const length = isWhole ? 1 : Math.max(LEAST, part.size - GAP)
        return (
          <circle
            key={part.key}
            style={getTone(part, index)}
            fill="none"
            stroke="var(--tone)"
            strokeWidth="15"
            opacity={lit === null || lit === part.key ? 1 : 0.3}
            cx="50"
            cy="50"
            r="40"
            pathLength="1"
            strokeDasharray={`${length} 1`}
            strokeDashoffset={-part.begin}
            transform="rotate(-90 50 50)"
            onPointerEnter={() => onLit(part.key)}
            onPointerLeave={() => onLit(null)}
          />
        )
      })}
    </svg>
  )
}

const TONES = { balance: 'var(--pm-moon)', pools: 'var(--pm-tent-stripe)', others: 'var(--pm-line-strong)' }
/** Colours of the holdings. Neighbours in the ring have different colours. */
const HOLDING_TONES = [
  'var(--pm-bronze)',
  'var(--pm-blue)',
  'var(--pm-error)',
  'var(--pm-teal)',
  'var(--pm-orange)',
  'color-mix(in oklab, var(--pm-blue) 50%, var(--pm-error))',
  'color-mix(in oklab, var(--pm-teal) 50%, var(--pm-text))',
  'color-mix(in oklab, var(--pm-coral) 60%, var(--pm-blue))',
]

function getTone({ kind }: AllocationPart, index: number): CSSProperties {
  const tone = kind === 'holding' ? HOLDING_TONES[index % HOLDING_TONES.length] : TONES[kind]
  return { '--tone': tone } as CSSProperties
}

function describeParts(parts: readonly AllocationPart[]): string {
  return `Allocation: ${parts.map(({ name, share }) => `${name} ${share}`).join(', ')}`
}
