import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { ConfirmButton } from './confirm-button.tsx'
import { type ConfirmedMutation, useConfirmedMutation } from './confirmation.tsx'

interface ActionButtonProps<Result>
  extends ConfirmedMutation<void, Result>,
    Pick<ComponentProps<typeof Button>, 'look' | 'wide' | 'tall' | 'autoFocus' | 'className'> {
  readonly label: string
  /** The button's label while the action is pending (default: the same label). */
  readonly busy?: string
  /** Text for screen readers that says what the action applies to, if the label does not. */
  readonly of?: string
  /** Whether the button asks for confirmation, because the action cannot be undone. */
  readonly isFinal?: boolean
  readonly act: () => Promise<Result>
}

/** A button that runs an action, which may require the player to confirm their identity. */
export function ActionButton<Result>(props: ActionButtonProps<Result>) {
  const { label, busy = label, of, isFinal, act, look = 'quiet', wide, tall, autoFocus, className, ...options } = props
  const { mutate, isPending } = useConfirmedMutation<Result>(act, options)
  if (isFinal) {
    const name = of === undefined ? {} : { of }
    return <ConfirmButton action={label} busy={busy} {...name} isBusy={isPending} onSure={() => mutate()} />
  }
  return (
    <Button
      {...{ look, wide, tall, autoFocus, className }}
      disabled={isPending}
      aria-label={of && `${label}: ${of}`}
      onClick={() => mutate()}
    >
      {isPending ? busy : label}
    </Button>
  )
}
