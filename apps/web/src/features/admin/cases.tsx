import { useRef, useState } from 'react'
import { FetchFailed } from '../../components/feedback/fetch-failed.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { client, type Inputs, type ModerationCase, trpc } from '../../lib/api/api.ts'
import { getReason, getSentence } from '../../lib/api/failure.ts'
import { counted } from '../../lib/format/counted.ts'
import { relativeTime } from '../../lib/format/relative-time.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { useHotkey } from '../../lib/ui/hotkeys.ts'
import { showFailure } from '../../lib/ui/toasts.ts'
import classes from './admin.module.css'
import { REASONS, Reason } from './reason.tsx'

type Decision = Pick<Inputs['admin']['decide'], 'act' | 'minutes'>

/** In the order of the buttons; each has a key under the left or right hand. */
const DECISIONS: readonly { readonly key: string; readonly label: string; readonly decision: Decision }[] = [
  { key: 'x', label: 'Dismiss', decision: { act: 'dismiss' } },
  { key: 'h', label: 'Hide', decision: { act: 'hide' } },
  { key: 'd', label: 'Delete', decision: { act: 'delete' } },
  { key: 'r', label: 'Release', decision: { act: 'release' } },
  { key: 'w', label: 'Warn', decision: { act: 'warn' } },
  { key: '1', label: 'Mute 1 h', decision: { act: 'mute', minutes: 60 } },
  { key: '2', label: 'Mute 1 d', decision: { act: 'mute', minutes: 1_440 } },
  { key: '3', label: 'Mute 7 d', decision: { act: 'mute', minutes: 10_080 } },
  { key: 's', label: 'Suspend', decision: { act: 'suspend' } },
]

/** Open cases, one at a time in view, decided by single keys. */
export function Cases() {
  const query = trpc.admin.cases.useQuery(undefined, { staleTime: 0, refetchInterval: 30_000 })
  const [decided, setDecided] = useState<ReadonlySet<number>>(new Set())
  const [index, setIndex] = useState(0)
  const [reason, setReason] = useState<string>(REASONS[0])
  const [lastId, setLastId] = useState<number | null>(null)
  const [told, setTold] = useState('')
  const isBusy = useRef(false)
  const cases = (query.data?.cases ?? []).filter(({ id }) => !decided.has(id))
  const shown = cases[Math.min(index, cases.length - 1)]

  const decide = async (label: string, decision: Decision) => {
    if (shown === undefined || isBusy.current || !fits(decision, shown)) return
    isBusy.current = true
    try {
      const { logId } = await client.admin.decide.mutate({ caseId: shown.id, ...decision, reason })
      setLastId(logId)
      setTold(`${label}: ${shown.words}`)
      setDecided((before) => new Set(before).add(shown.id))
    } catch (error) {
      // Another moderator was faster: on to the next one.
      if (getReason(error) === 'CASE_DECIDED') setDecided((before) => new Set(before).add(shown.id))
      showFailure('Not decided', getSentence(error), 'Please try again.')
    } finally {
      isBusy.current = false
      if (cases.length <= 1) void query.refetch()
    }
  }
  const undo = async () => {
    if (lastId === null || isBusy.current) return
    try {
      await client.admin.undo.mutate({ id: lastId, reason: 'A mistake' })
      setTold('Taken back.')
      setLastId(null)
    } catch (error) {
      showFailure('Not taken back', getSentence(error), 'Please try again.')
    }
  }
  useHotkey('j', () => setIndex(Math.min(index + 1, Math.max(0, cases.length - 1))))
  useHotkey('k', () => setIndex(Math.max(0, index - 1)))
  useHotkey('u', () => void undo())

  if (query.isError && query.data === undefined)
    return <FetchFailed title="The cases are out of reach" error={query.error} onRetry={() => void query.refetch()} />
  return (
    <Panel title={`Cases (${cases.length})`}>
      <p className="visually-hidden" role="status">
        {told}
      </p>
      {query.isLoading && <Skeleton height={240} />}
      {query.isSuccess && shown === undefined && <p className={classes.dim}>Nothing waits. Have a cup of tea.</p>}
      {shown !== undefined && <CaseView shown={shown} place={cases.indexOf(shown) + 1} count={cases.length} />}
      <Reason reason={reason} onChange={setReason} />
      <div className={classes.keys}>
        {DECISIONS.map(({ key, label, decision }) => (
          <DecisionKey
            key={key}
            letter={key}
            label={label}
            isDisabled={shown === undefined || !fits(decision, shown)}
            onPress={() => void decide(label, decision)}
          />
        ))}
        <button type="button" className={classes.key} aria-disabled={lastId === null} onClick={() => void undo()}>
          Undo <kbd>u</kbd>
        </button>
        <span className={classes.dim}>
          <kbd>j</kbd> next <kbd>k</kbd> previous
        </span>
      </div>
    </Panel>
  )
}

/** Whether a decision can be made about a case. */
function fits({ act }: Decision, { kind, accused, heldFor }: ModerationCase): boolean {
  if (act === 'release') return heldFor !== null
  if (act === 'delete') return kind === 'post'
  if (act === 'hide') return kind !== 'name'
  return act === 'dismiss' ? heldFor === null : accused !== null
}

interface DecisionKeyProps {
  readonly letter: string
  readonly label: string
  readonly isDisabled: boolean
  readonly onPress: () => void
}

function DecisionKey({ letter, label, isDisabled, onPress }: DecisionKeyProps) {
  useHotkey(letter, () => (isDisabled ? false : onPress()))
  return (
    <button
      type="button"
      className={classes.key}
      aria-disabled={isDisabled || undefined}
      aria-keyshortcuts={letter}
      onClick={isDisabled ? undefined : onPress}
    >
      {label} <kbd>{letter}</kbd>
    </button>
  )
}

function CaseView({ shown, place, count }: { shown: ModerationCase; place: number; count: number }) {
  const now = useNow()
  const { kind, accused, words, heldFor, reports, reasons, context, openedAt, acts, accountAgeDays, fairId } = shown
  return (
    <article className={classes.case} aria-label={`Case ${place} of ${count}`}>
      <p className={classes.dim}>
        {place} of {count} · {kind} · {heldFor === null ? counted(reports, 'report') : `held: ${heldFor}`} ·{' '}
        {relativeTime(openedAt, now)}
        {fairId !== null && ` · fair ${fairId}`}
      </p>
      <p className={classes.words} dir="auto">
        {words}
      </p>
      {accused !== null && (
        <p className={classes.dim}>
          By <a href={`/user/${accused.id}`}>{accused.username}</a>, {counted(accountAgeDays ?? 0, 'day')} old,{' '}
          {counted(acts, 'earlier act')}
        </p>
      )}
      {reasons.length > 0 && (
        <ul className={classes.list} aria-label="Reports">
          {reasons.map(({ reason, note }, index) => (
            // Reports have no ids here, and their order never changes.
            <li key={index}>
              {reason}
              {note !== null && `: ${note}`}
            </li>
          ))}
        </ul>
      )}
      {context.length > 1 && (
        <details open>
          <summary>Around it</summary>
          <ol className={classes.list}>
            {context.map((line) => (
              <li key={line} dir="auto">
                {line}
              </li>
            ))}
          </ol>
        </details>
      )}
    </article>
  )
}
