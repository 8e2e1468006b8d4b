import { useState } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import classes from '../factors/factors.module.css'

interface AskOnceProps {
  /** What the button does: `Remove`. */
  readonly action: string
  /** What it says while that is under way. */
  readonly busy: string
  /** What it is done to, for screen readers. */
  readonly of: string
  readonly isBusy: boolean
  readonly onSure: () => void
}

/** A button for what cannot be taken back: pressed, it asks once. */
export function AskOnce({ action, busy, of, isBusy, onSure }: AskOnceProps) {
  const [isAsking, setAsking] = useState(false)
  const [isKept, setKept] = useState(false)
  const keep = () => {
    setKept(true)
    setAsking(false)
  }
  if (!isAsking && !isBusy) {
    return (
      <Button look="quiet" autoFocus={isKept} aria-label={`${action} ${of}`} onClick={() => setAsking(true)}>
        {action}
      </Button>
    )
  }
  const sure = () => {
    setKept(true)
    setAsking(false)
    onSure()
  }
  return (
    <div className={classes.asking}>
      <Button
        autoFocus
        className={classes.danger}
        disabled={isBusy}
        aria-label={isBusy ? `${busy} ${of}` : `${action} for good: ${of}`}
        onClick={sure}
      >
        {isBusy ? busy : `${action} for good`}
      </Button>
      <Button look="quiet" disabled={isBusy} onClick={keep}>
        Keep
      </Button>
    </div>
  )
}
