import { useState } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import classes from '../factors/factors.module.css'

interface AskOnceProps {
  /** Label of the button: `Remove`. */
  readonly action: string
  /** Label while pending. */
  readonly busy: string
  /** The object of the action, for screen readers. */
  readonly of: string
  readonly isBusy: boolean
  readonly onSure: () => void
}

/** A button with one confirmation, for actions that cannot be undone. */
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
