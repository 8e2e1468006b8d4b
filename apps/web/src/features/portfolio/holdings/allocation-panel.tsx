import '@mantine/core/styles/RingProgress.css'
import { RingProgress } from '@mantine/core'
import { formatSol } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { Themed } from '../../../components/layout/themed.tsx'
import type { NetWorth } from '../net-worth/worth-line.ts'
import { type AllocationPart, computeAllocation } from './allocation.ts'
import classes from './allocation-panel.module.css'

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
      <Themed>
        <RingProgress
          size={204}
          thickness={28}
          sectionGap={parts.length > 1 ? 2 : 0}
          role="img"
          aria-label={describeParts(parts)}
          sections={parts.map((part, index) => ({
            value: part.size * 100,
            color: getTone(part, index),
            opacity: lit === null || lit === part.key ? 1 : 0.3,
            onMouseEnter: () => setLit(part.key),
            onMouseLeave: () => setLit(null),
          }))}
          label={
            shown && (
              <div className="stack middle gap-xs" aria-hidden="true">
                <span className="emoji text-2xl tight">{shown.emoji}</span>
                <strong>{shown.share}</strong>
              </div>
            )
          }
        />
      </Themed>
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
              style={{ borderColor: getTone(part, index) }}
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

function getTone({ kind }: AllocationPart, index: number): string {
  return kind === 'holding' ? (HOLDING_TONES[index % HOLDING_TONES.length] ?? TONES.others) : TONES[kind]
}

function describeParts(parts: readonly AllocationPart[]): string {
  return `Allocation: ${parts.map(({ name, share }) => `${name} ${share}`).join(', ')}`
}
