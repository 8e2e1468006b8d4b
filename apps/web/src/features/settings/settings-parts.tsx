import { type ReactNode, useState } from 'react'
import { FetchFailed } from '../../components/feedback/fetch-failed.tsx'
import { Button } from '../../components/form/button.tsx'
import classes from './settings.module.css'

interface FetchedProps<Data> {
  readonly query: {
    readonly data: Data | undefined
    readonly isError: boolean
    readonly error: unknown
    refetch(): unknown
  }
  /** Title above the retry button after a failure. */
  readonly failure: string
  readonly level?: 3 | 4
  readonly skeleton: ReactNode
  readonly children: (data: Data) => ReactNode
}

/** Shows the server's response: a skeleton while it is pending, a retry button after a failure. */
export function Fetched<Data>({ query, failure, level = 3, skeleton, children }: FetchedProps<Data>) {
  if (query.isError) {
    return <FetchFailed level={level} title={failure} query={query} />
  }
  return query.data === undefined ? skeleton : children(query.data)
}

interface RowProps {
  readonly title: ReactNode
  readonly notes: readonly ReactNode[]
  /** Buttons for possible actions. */
  readonly children: ReactNode
}

/** A row in a list: a name, lines below it, and buttons. */
export function Row({ title, notes, children }: RowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.about}>
        <span className="strong">{title}</span>
        {notes.map((note, index) => (
          <span key={index} className={classes.note}>
            {note}
          </span>
        ))}
      </div>
      {children}
    </li>
  )
}

interface AskOnceProps {
  /** Label for the button, such as `Remove`. */
  readonly action: string
  /** Label while the action is pending. */
  readonly busy: string
  /** The object of the action, for screen readers. */
  readonly of: string
  readonly isBusy: boolean
  readonly onSure: () => void
}

/** A button that asks for confirmation once, for actions that cannot be undone. */
export function AskOnce({ action, busy, of, isBusy, onSure }: AskOnceProps) {
  const [isAsking, setAsking] = useState(false)
  const [isBack, setBack] = useState(false)
  const leave = () => {
    setBack(true)
    setAsking(false)
  }
  if (!isAsking && !isBusy) {
    return (
      <Button look="quiet" autoFocus={isBack} aria-label={`${action} ${of}`} onClick={() => setAsking(true)}>
        {action}
      </Button>
    )
  }
  const lower = action.toLowerCase()
  const confirm = () => {
    leave()
    onSure()
  }
  return (
    <div className="acts">
      <Button
        autoFocus
        className={classes.danger}
        disabled={isBusy}
        aria-label={isBusy ? `${busy} ${of}` : `Yes, ${lower} ${of}`}
        onClick={confirm}
      >
        {isBusy ? busy : `Yes, ${lower}`}
      </Button>
      <Button look="quiet" disabled={isBusy} onClick={leave}>
        Cancel
      </Button>
    </div>
  )
}
