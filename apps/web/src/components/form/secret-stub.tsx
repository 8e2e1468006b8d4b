import { type ReactNode, useEffect, useRef } from 'react'
import { copyWithToast } from '../../lib/ui/copy-text.ts'
import ticket from '../layout/stub.module.css'
import { Button } from './button.tsx'
import classes from './secret-stub.module.css'

interface SecretStubProps {
  readonly label: string
  readonly title: string
  readonly note: ReactNode
  readonly text: string
  /** Text of the toast after copying the secret, and the text if copying fails. */
  readonly copied: readonly [done: string, byHand: string]
  readonly copyLabel?: string
  /** Label of the button that hides the secret. */
  readonly doneLabel: string
  readonly onDone: () => void
  /** Another button beside the copy button. */
  readonly action?: ReactNode
  /** Content to show instead of the text. */
  readonly children?: ReactNode
}

/**
 * Shows a secret that the server reveals only once. The secret takes the focus, because the element that had the focus
 * was removed.
 */
export function SecretStub(props: SecretStubProps) {
  const {
    label,
    title,
    note,
    text,
    copied: [done, byHand],
    copyLabel = 'Copy',
    doneLabel,
    onDone,
    action,
    children,
  } = props
  const stub = useRef<HTMLElement>(null)
  useEffect(() => stub.current?.focus(), [])
  const copy = () => void copyWithToast(text, done, byHand)
  return (
    <section
      ref={stub}
      className={`${ticket.notched} on-stub p-l grid gap-m round-m ${classes.stub}`}
      tabIndex={-1}
      aria-label={label}
    >
      <p className="strong">{title}</p>
      {children ?? <code className={`p-s-m round-s text-m breaks selectable ${classes.secret}`}>{text}</code>}
      <p className="text-m pretty">{note}</p>
      <div className="acts">
        <Button onClick={copy}>{copyLabel}</Button>
        {action}
        <Button look="quiet" onClick={onDone}>
          {doneLabel}
        </Button>
      </div>
    </section>
  )
}
