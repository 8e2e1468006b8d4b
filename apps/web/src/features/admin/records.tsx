import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Fetched, type Query } from '../../components/feedback/fetched.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button } from '../../components/form/button.tsx'
import { useConfirmedMutation } from '../../components/form/confirmation.tsx'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { lazyPart } from '../../lib/boot/lazy-import.ts'
import { showFailure, showToast } from '../../lib/ui/toasts.ts'
import classes from './admin.module.css'
import { Reason } from './reason.tsx'

const ConfirmDialog = lazyPart(() => import('../../components/form/confirm-dialog.tsx'), 'ConfirmDialog')

interface RecordsProps<Row> {
  readonly title: string
  readonly query: Query<readonly Row[]>
  readonly form?: ReactNode
  /** Searches the records. If this function is undefined, the page lists all records. */
  readonly onSearch?: (text: string) => void
  /** Text to show before the first search. */
  readonly hint?: string
  /** Returns the name of a row and a line of facts. */
  readonly head: (row: Row) => readonly [name: string, facts: string]
  readonly detail?: (row: Row) => ReactNode
}

/** A page for operators that lists records, each with details below it. */
export function Records<Row>({ title, query, form, onSearch, hint, head, detail }: RecordsProps<Row>) {
  return (
    <Panel title={title}>
      {form}
      {onSearch !== undefined && <Search label={title} onSearch={onSearch} />}
      <Fetched
        level={2}
        query={query}
        failure="Could not load the list"
        skeleton={hint === undefined ? <Skeleton height={160} /> : <Dim>{hint}</Dim>}
        empty={<Dim>Nothing found.</Dim>}
        instead={{
          CONFIRMATION_NEEDED: <ConfirmFirst refetch={query.refetch} />,
        }}
      >
        {(rows) => (
          <ul aria-label={title}>
            {rows.map((row) => {
              const [name, facts] = head(row)
              return <Entry key={name} name={name} facts={facts} detail={detail && (() => detail(row))} />
            })}
          </ul>
        )}
      </Fetched>
    </Panel>
  )
}

/** Asks for the second factor before a page opens. */
export function ConfirmFirst({ refetch }: { refetch: () => unknown }) {
  const navigate = useNavigate()
  return <ConfirmDialog byFactor onConfirmed={() => void refetch()} onClose={() => void navigate({ to: '/' })} />
}

function Dim({ children }: { children: ReactNode }) {
  return <p className="dim">{children}</p>
}

interface EntryProps {
  readonly name: string
  readonly facts: string
  readonly detail?: (() => ReactNode) | undefined
}

function Entry({ name, facts, detail }: EntryProps) {
  const [isOpen, setOpen] = useState(false)
  const words = (
    <>
      <b dir="auto">{name}</b> <span className="dim">{facts}</span>
    </>
  )
  if (detail === undefined) return <li className="py-s torn-bottom breaks">{words}</li>
  return (
    <li className="py-s torn-bottom breaks">
      <button
        type="button"
        className={`full touch py-s text-left ${classes.open}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {words}
      </button>
      {isOpen && <div className="stack gap-s py-s">{detail()}</div>}
    </li>
  )
}

function Search({ label, onSearch }: { label: string; onSearch: (text: string) => void }) {
  return (
    <search>
      <Form<'search'>
        className="row gap-s wrap"
        onSend={({ search }) => search.trim() !== '' && onSearch(search.trim())}
      >
        <TextField
          name="search"
          aria-label={`Search ${label.toLowerCase()} by name or ID`}
          placeholder="Name or ID"
          maxLength={64}
          autoComplete="off"
        />
        <Button type="submit" look="quiet">
          Search
        </Button>
      </Form>
    </search>
  )
}

export interface Act {
  readonly label: string
  readonly run: (reason: string) => Promise<unknown>
}

interface ActsProps {
  readonly acts: readonly Act[]
  readonly onDone: () => void
}

/**
 * Buttons for actions that need a reason. If the last confirmation is too old, a button first asks for the second
 * factor.
 */
export function Acts({ acts, onDone }: ActsProps) {
  const [reason, setReason] = useState('')
  const { mutate, isPending } = useConfirmedMutation(({ run }: Act) => run(reason), {
    onSuccess: (_, { label }) => {
      showToast({ title: label, message: 'The action was carried out and logged.' })
      setReason('')
      onDone()
    },
    onError: (error, { label }) => showFailure(`Action failed: ${label}`, error),
  })
  const isReady = reason.trim() !== '' && !isPending
  return (
    <>
      <Reason reason={reason} onChange={setReason} label="Reason" />
      <div className="row gap-s wrap">
        {acts.map((act) => (
          <Button key={act.label} look="quiet" disabled={!isReady} onClick={() => mutate(act)}>
            {act.label}
          </Button>
        ))}
        {reason.trim() === '' && <Dim>Enter a reason first.</Dim>}
      </div>
    </>
  )
}
