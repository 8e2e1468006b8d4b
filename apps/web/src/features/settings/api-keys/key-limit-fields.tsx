import { useState } from 'react'
import { TextField } from '../../../components/form/text-field.tsx'
import classes from './api-keys.module.css'
import type { KeyLimits } from './key-limits.ts'

const DAY_MS = 24 * 3_600_000
/** The server's limit. */
const EXPIRY_DAYS_MAX = 366

interface KeyLimitFieldsProps {
  readonly limits: KeyLimits
  /** Whether the key is to trade; only then its spending can be limited. */
  readonly mayTrade: boolean
  readonly onChange: (limits: KeyLimits) => void
}

/** Optional spending limit, expiry date and networks of a key. */
export function KeyLimitFields({ limits, mayTrade, onChange }: KeyLimitFieldsProps) {
  const [today] = useState(() => Date.now())
  return (
    <details className={classes.limits}>
      <summary className={classes.summary}>Limit it further</summary>
      <div className={classes.limitFields}>
        {mayTrade && (
          <TextField
            label="SOL a day"
            description="What it may spend on buys and launches from 00:00 to 24:00 UTC. Empty: all you have."
            placeholder="10"
            inputMode="decimal"
            autoComplete="off"
            value={limits.spending}
            onChange={(event) => onChange({ ...limits, spending: event.currentTarget.value })}
          />
        )}
        <TextField
          type="date"
          label="Last day"
          description="It ends by itself after this day. Empty: it works until you revoke it."
          min={dayText(today)}
          max={dayText(today + (EXPIRY_DAYS_MAX - 1) * DAY_MS)}
          value={limits.lastDay}
          onChange={(event) => onChange({ ...limits, lastDay: event.currentTarget.value })}
        />
        <TextField
          label="Only from these networks"
          description="Addresses or CIDR networks. Empty: it works from everywhere."
          placeholder="203.0.113.7, 10.0.0.0/8"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={limits.networks}
          onChange={(event) => onChange({ ...limits, networks: event.currentTarget.value })}
        />
      </div>
    </details>
  )
}

/** A local date in the format of a date field. */
function dayText(timeMs: number): string {
  const time = new Date(timeMs)
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}
