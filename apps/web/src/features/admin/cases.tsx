import { useRef, useState } from 'react'
import { Fetched } from '../../components/feedback/fetched.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { client, type Inputs, type ModerationCase, trpc } from '../../lib/api/api.ts'
import { getReason } from '../../lib/api/failure.ts'
import { counted } from '../../lib/format/counted.ts'
import { relativeTime } from '../../lib/format/relative-time.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { useHotkey } from '../../lib/ui/hotkeys.ts'
import { showFailure } from '../../lib/ui/toasts.ts'
import classes from './admin.module.css'
import { REASONS, Reason } from './reason.tsx'

type Decision = Pick<Inputs['admin']['decide'], 'act' | 'minutes'>

/**
 * The moderators' decisions, in the order of their buttons. Each decision has a shortcut for the left or the right
 * hand.
 */
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

const USUAL: Partial<Record<ModerationCase['reasons'][number]['reason'], string>> = {
  spam: 'Spam',
  scam: 'Scam',
  abuse: 'Insults',
  hate: 'Insults',
}

/** Shows one of the open cases at a time. Moderators decide a case with a single key. */
export function Cases() {
  const query = trpc.admin.cases.useQuery(undefined, { staleTime: 0, refetchInterval: 30_000 })
  const [decided, setDecided] = useState<ReadonlySet<number>>(new Set())
  const [shownId, setShownId] = useState<number | null>(null)
  /** The reason that the moderator typed, or null to use the suggested reason. */
  const [typed, setTyped] = useState<string | null>(null)
  const [last, setLast] = useState<{ readonly logId: number; readonly caseId: number } | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const isBusy = useRef(false)
  const reasonField = useRef<HTMLInputElement>(null)
  const cases = (query.data?.cases ?? []).filter(({ id }) => !decided.has(id))
  const place = Math.max(
    0,
    cases.findIndex(({ id }) => id === shownId),
  )
  const shown = cases[place]
  // New reports change the order of the cases, but the case on the screen stays.
  if (shown !== undefined && shown.id !== shownId) setShownId(shown.id)
  const show = (next: number) => {
    setShownId(cases[Math.min(Math.max(0, next), cases.length - 1)]?.id ?? null)
    setTyped(null)
  }
  const pass = () => {
    if (shown !== undefined) setDecided((before) => new Set(before).add(shown.id))
    show(place + 1 < cases.length ? place + 1 : place - 1)
  }

  const run = async (failure: string, act: () => Promise<void>) => {
    if (isBusy.current) return
    isBusy.current = true
    try {
      await act()
    } catch (error) {
      // Another moderator decided this case first, so show the next one.
      if (getReason(error) === 'CASE_DECIDED') pass()
      showFailure(failure, error)
    } finally {
      isBusy.current = false
      if (cases.length <= 1) void query.refetch()
    }
  }
  const decide = async (label: string, decision: Decision) => {
    if (shown === undefined || !fits(decision, shown)) return
    const reason = typed ?? suggestReason(shown, decision)
    const { logId } = await client.admin.decide.mutate({ caseId: shown.id, ...decision, reason })
    setLast({ logId, caseId: shown.id })
    setAnnouncement(`${label}: ${shown.words}`)
    pass()
  }
  const undo = async () => {
    if (last === null) return
    await client.admin.undo.mutate({ id: last.logId, reason: 'This was a mistake' })
    setAnnouncement('Undone.')
    setLast(null)
    await query.refetch()
    setDecided((before) => new Set([...before].filter((id) => id !== last.caseId)))
    setShownId(last.caseId)
    setTyped(null)
  }
  useHotkey('j', () => show(place + 1))
  useHotkey('k', () => show(place - 1))
  useHotkey('e', () => reasonField.current?.focus())

  return (
    <Panel title={`Cases (${cases.length})`}>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <Fetched query={query} failure="Could not load the cases" skeleton={<Skeleton height={240} />}>
        {() =>
          shown === undefined ? (
            <p className="dim">No open cases. Have a cup of tea.</p>
          ) : (
            <CaseView shown={shown} place={place + 1} count={cases.length} />
          )
        }
      </Fetched>
      <div className={`stack gap-s ${classes.deck}`}>
        <Reason
          field={reasonField}
          reason={typed ?? (shown === undefined ? '' : suggestReason(shown))}
          onChange={setTyped}
        />
        <Keys
          shown={shown}
          onDecide={(label, decision) => void run('Could not decide the case', () => decide(label, decision))}
          onUndo={last && (() => void run('Could not undo the decision', undo))}
        />
      </div>
    </Panel>
  )
}

interface KeysProps {
  readonly shown: ModerationCase | undefined
  readonly onDecide: (label: string, decision: Decision) => void
  /** Undoes the last decision. Null if there is none. */
  readonly onUndo: (() => void) | null
}

function Keys({ shown, onDecide, onUndo }: KeysProps) {
  return (
    <div className="row gap-s wrap">
      {DECISIONS.map(({ key, label, decision }) => (
        <DecisionKey
          key={key}
          letter={key}
          label={label}
          isDisabled={shown === undefined || !fits(decision, shown)}
          onPress={() => onDecide(label, decision)}
        />
      ))}
      <DecisionKey letter="u" label="Undo" isDisabled={onUndo === null} onPress={() => onUndo?.()} />
      <span className="dim">
        Press <kbd>j</kbd> for the next case, <kbd>k</kbd> for the previous case, <kbd>e</kbd> to edit the reason and{' '}
        <kbd>Enter</kbd> to leave the field.
      </span>
    </div>
  )
}

/** Returns the usual reason for the kind of the first report, or the usual reason for finding no violation. */
function suggestReason({ reasons }: ModerationCase, decision?: Decision): string {
  if (decision?.act === 'dismiss' || decision?.act === 'release') return 'No rule was broken'
  const [first] = reasons
  return (first && USUAL[first.reason]) ?? REASONS[0]
}

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
    <Button look="quiet" aria-keyshortcuts={letter} disabled={isDisabled} onClick={onPress}>
      {label} <kbd>{letter}</kbd>
    </Button>
  )
}

function CaseView({ shown, place, count }: { shown: ModerationCase; place: number; count: number }) {
  const now = useNow()
  const { kind, accused, words, heldFor, reports, reasons, context, openedAt, acts, accountAgeDays, fairId } = shown
  const notes = reasons.filter(({ note }) => note !== null)
  const why = [...new Set(reasons.map(({ reason }) => reason))].join(', ')
  return (
    <article className={`grid gap-s ${classes.case}`} aria-label={`Case ${place} of ${count}`}>
      <p className="dim">
        {place} of {count} · {kind} · {heldFor === null ? `${counted(reports, 'report')} (${why})` : `held: ${heldFor}`}{' '}
        · {relativeTime(openedAt, now)}
        {fairId !== null && ` · fair ${fairId}`}
      </p>
      <p className="p-m round-s on-raised text-l breaks pre-line" dir="auto">
        {words}
      </p>
      {accused !== null && (
        <p className="dim">
          Account: <a href={`/user/${accused.id}`}>{accused.username}</a>. Age: {counted(accountAgeDays ?? 0, 'day')}.
          Earlier moderator actions: {acts}.
        </p>
      )}
      {notes.length > 0 && (
        <ul className="bullets breaks" aria-label="Reports">
          {notes.map(({ reason, note }, index) => (
            // Use the index as key, because reports have no ids here and their order never changes.
            <li key={index}>
              <bdi>
                {reason}: {note}
              </bdi>
            </li>
          ))}
        </ul>
      )}
      {context.length > 1 && (
        <details open>
          <summary>Context</summary>
          <ol className="bullets breaks">
            {context.map((line, index) => (
              // Use the index as key, because several lines may be equal and their order never changes.
              <li key={index}>
                <bdi>{line === `${accused?.username}: ${words}` ? <b>{line}</b> : line}</bdi>
              </li>
            ))}
          </ol>
        </details>
      )}
    </article>
  )
}
