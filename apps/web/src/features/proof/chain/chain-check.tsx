import type { ChainPlace } from '@papermoon/chain'
import { useId, useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import type { TokenId } from '../../../lib/api/api.ts'
import { formatCount } from '../../../lib/format/format.ts'
import { FROM_LAUNCH, type Start, useStarts } from '../heads/use-starts.ts'
import text from '../proof-text.module.css'
import classes from './chain-check.module.css'
import type { Check } from './chain-checker.ts'
import { useChainCheck } from './use-chain-check.ts'
import { Verdict } from './verdict.tsx'

/** The button's label per state. */
const LABELS: Record<Check['state'], string> = {
  idle: 'Verify',
  running: 'Stop',
  stopped: 'Go on',
  failed: 'Go on',
  broken: 'Verify again',
  verified: 'Verify again',
}

/** Verifies a token's chain from the launch or a checkpoint, and shows the progress. */
export function ChainCheck({ id }: { id: TokenId }) {
  const { check, verify, stop, forget } = useChainCheck(id)
  const starts = useStarts(id)
  const [chosen, setChosen] = useState(FROM_LAUNCH)
  const isRunning = check.state === 'running'
  const choose = (key: string) => {
    setChosen(key)
    forget()
  }
  const begin = () => void verify(findPlace(starts, chosen))
  return (
    <div className={classes.check}>
      <div className={classes.controls}>
        {starts.length > 1 && <StartField starts={starts} chosen={chosen} onChoose={choose} />}
        <Button onClick={isRunning ? stop : begin} look={isRunning ? 'quiet' : 'moon'}>
          {LABELS[check.state]}
        </Button>
      </div>
      {isRunning && <Progress check={check} />}
      <div role="status">
        <Verdict check={check} />
      </div>
    </div>
  )
}

interface StartFieldProps {
  readonly starts: readonly Start[]
  readonly chosen: string
  readonly onChoose: (key: string) => void
}

function StartField({ starts, chosen, onChoose }: StartFieldProps) {
  const id = useId()
  return (
    <div className={classes.start}>
      <label htmlFor={id} className={text.label}>
        Begin with
      </label>
      <select id={id} className={text.input} value={chosen} onChange={(event) => onChoose(event.currentTarget.value)}>
        {starts.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}

function Progress({ check: { done, total } }: { check: Extract<Check, { state: 'running' }> }) {
  return (
    <div className={classes.progress}>
      <progress
        className={classes.bar}
        aria-label="Verified so far"
        max={Math.max(total ?? 1, 1)}
        {...(total !== null && { value: done })}
      />
      <span>{total === null ? 'Fetching…' : `${formatCount(done)} of ${formatCount(total)}`}</span>
    </div>
  )
}

function findPlace(starts: readonly Start[], chosen: string): ChainPlace | null {
  return starts.find(({ key }) => key === chosen)?.place ?? null
}
