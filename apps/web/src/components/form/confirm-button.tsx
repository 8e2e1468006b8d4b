import { useState } from 'react'
import { Button } from './button.tsx'

interface ConfirmButtonProps {
  /** Label for the button, such as `Remove`. */
  readonly action: string
  /** The button's label while the action is pending. */
  readonly busy: string
  /** Text for screen readers that says what the action applies to, if the label does not. */
  readonly of?: string
  readonly isBusy: boolean
  readonly onSure: () => void
}

/** A button that asks for confirmation, for actions that cannot be undone. */
export function ConfirmButton({ action, busy, of, isBusy, onSure }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const [isBack, setBack] = useState(false)
  const name = (text: string) => (of === undefined ? text : `${text} ${of}`)
  const leave = () => {
    setBack(true)
    setAsking(false)
  }
  if (!isAsking && !isBusy) {
    return (
      <Button look="quiet" autoFocus={isBack} aria-label={name(action)} onClick={() => setAsking(true)}>
        {action}
      </Button>
    )
  }
  const yes = `Yes, ${action.toLowerCase()}`
  // The button does not take the focus back, because the caller moves it.
  const confirm = () => {
    setBack(false)
    setAsking(false)
    onSure()
  }
  return (
    <div className="acts">
      <Button autoFocus look="danger" disabled={isBusy} aria-label={isBusy ? name(busy) : name(yes)} onClick={confirm}>
        {isBusy ? busy : yes}
      </Button>
      <Button look="quiet" disabled={isBusy} onClick={leave}>
        Cancel
      </Button>
    </div>
  )
}
