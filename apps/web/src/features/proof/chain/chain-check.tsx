import type { ChainPosition } from '@papermoon/chain'
import { formatCount } from '@papermoon/format'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { Said } from '../../../components/feedback/spoken.tsx'
import { Button } from '../../../components/form/button.tsx'
import { client, type TokenId } from '../../../lib/api/api.ts'
import { getSentence, NO_RESPONSE } from '../../../lib/api/failure.ts'
import { counted } from '../../../lib/format/counted.ts'
import { useRefetchOn } from '../../../lib/hooks/use-refetch-on.ts'
import { hourText } from '../heads/hour-text.ts'
import type { Comparison } from '../heads/published-head.ts'
import { FROM_LAUNCH, useStarts } from '../heads/use-starts.ts'
import text from '../proof-text.module.css'
import { retryAfter } from '../retry-after.ts'
import classes from './chain-check.module.css'
import { ChainChecker, type Check, type Verified } from './chain-checker.ts'
import { sha256 } from './sha256.ts'
import type { BreakKind, ChainBreak } from './walk-chain.ts'
import { walkSeals } from './walk-seals.ts'

/** The button's label in each state. */
const LABELS: Record<Check['state'], string> = {
  idle: 'Verify',
  running: 'Stop',
  stopped: 'Continue',
  failed: 'Continue',
  broken: 'Verify again',
  verified: 'Verify again',
}

/** Verifies a token's hash chain from the launch or a checkpoint, and shows the progress. */
export function ChainCheck({ id }: { id: TokenId }) {
  const { check, verify, stop, forget } = useChainCheck(id)
  const starts = useStarts(id)
  const selectId = useId()
  const [chosen, setChosen] = useState(FROM_LAUNCH)
  const isRunning = check.state === 'running'
  const choose = (key: string) => {
    setChosen(key)
    forget()
  }
  const begin = () => void verify(starts.find(({ key }) => key === chosen)?.place ?? null)
  return (
    <div className={classes.check}>
      <div className={classes.controls}>
        {starts.length > 1 && (
          <div className={classes.start}>
            <label htmlFor={selectId} className={text.label}>
              Start from
            </label>
            <select
              id={selectId}
              className={text.input}
              value={chosen}
              onChange={(event) => choose(event.currentTarget.value)}
            >
              {starts.map(({ key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        )}
        <Button onClick={isRunning ? stop : begin} look={isRunning ? 'quiet' : 'moon'}>
          {LABELS[check.state]}
        </Button>
      </div>
      {isRunning && (
        <div className={classes.progress}>
          <progress
            className={classes.bar}
            aria-label="Verified so far"
            max={Math.max(check.total ?? 1, 1)}
            {...(check.total !== null && { value: check.done })}
          />
          <span>
            {check.total === null ? 'Fetching…' : `${formatCount(check.done)} of ${formatCount(check.total)}`}
          </span>
        </div>
      )}
      <Verdict check={check} />
      {check.state === 'verified' && <Seals id={id} />}
    </div>
  )
}

const WHY: Record<BreakKind, string> = {
  launch: 'The launch does not match the first hash of the chain.',
  start: 'Its hash differs from the one that was there before.',
  token: 'It belongs to another token.',
  number: 'It is missing or out of order.',
  hash: 'The hash doesn’t match the trade: something was changed afterwards.',
  head: 'The server returns another hash for the end of the chain.',
}

/** The result of a verification. */
function Verdict({ check }: { check: Check }) {
  if (check.state === 'verified') return <Whole check={check} />
  if (check.state === 'broken') return <Broken broken={check.broken} from={check.start.seq} />
  if (check.state === 'stopped') {
    return (
      <Said
        look={text.text}
      >{`Stopped after ${counted(check.done, 'entry', 'entries')}. All of them were in order.`}</Said>
    )
  }
  if (check.state !== 'failed') return null
  const why = getSentence(check.error) ?? NO_RESPONSE
  return (
    <Said look="problem">{`The verification failed after ${counted(check.done, 'entry', 'entries')}: ${why}`}</Said>
  )
}

function Whole({ check }: { check: Verified }) {
  const { start, place, isClosed, comparison } = check
  const isOther = comparison.kind === 'other'
  return (
    <div className={classes.verdict} data-good={!isOther}>
      <Said look={isOther ? 'problem' : text.good}>
        {isOther ? '✗ This is not the published history' : '✓ Verified'}
      </Said>
      <p className={classes.line}>
        {counted(place.seq - start.seq, 'entry', 'entries')}{' '}
        {start.seq === 0 ? 'from the launch' : `after entry ${formatCount(start.seq)}`}: each follows from the one
        before it.{' '}
        {isClosed ? 'The last one is the rug pull, so nothing follows.' : 'New trades are verified as they happen.'}
      </p>
      <ComparedLine comparison={comparison} />
      <dl className={text.facts}>
        <div>
          <dt>Head: entry {formatCount(place.seq)}</dt>
          <dd className={text.hash}>{place.hash}</dd>
        </div>
        {comparison.kind === 'other' && (
          <>
            <div>
              <dt>Entry {formatCount(comparison.published.seq)}, published</dt>
              <dd className={text.hash}>{comparison.published.hash}</dd>
            </div>
            <div>
              <dt>Entry {formatCount(comparison.published.seq)}, today</dt>
              <dd className={text.hash}>{comparison.found ?? 'missing'}</dd>
            </div>
          </>
        )}
      </dl>
    </div>
  )
}

/** Verifies the token's seals, which have their own chain. Renders nothing for a token that was never sealed. */
function Seals({ id }: { id: TokenId }) {
  const { data, isError } = useQuery({
    queryKey: ['seals', id],
    queryFn: ({ signal }) => {
      const fetchPage = (after: number) => retryAfter(() => client.proof.seals.query({ id, after }, { signal }), signal)
      return walkSeals({ tokenId: id, fetchPage, sha256 })
    },
    staleTime: 0,
  })
  if (isError) return <Said look="problem">Could not verify its seals: the server didn’t respond.</Said>
  if (data === undefined) return null
  if (data.broken !== null)
    return <Said look="problem">{`✗ Its seals are broken at seal ${formatCount(data.broken)}`}</Said>
  return data.count === 0 ? null : <p className={text.text}>{counted(data.count, 'seal')} verified.</p>
}

function ComparedLine({ comparison }: { comparison: Comparison }) {
  if (comparison.kind === 'none') {
    return (
      <p className={classes.line}>This token is not among the published heads yet. We publish them once an hour.</p>
    )
  }
  const { published } = comparison
  const head = `The head published for ${hourText(published.hour)}, entry ${formatCount(published.seq)},`
  if (comparison.kind === 'same') return <p className={classes.line}>{head} is on this chain.</p>
  if (comparison.kind === 'before') {
    return <p className={classes.line}>{head} comes before what you verified. Start from the launch to compare it.</p>
  }
  return (
    <p className={classes.line}>
      {head} is not on this chain. The chain is in order by itself, so it was rewritten since then.
    </p>
  )
}

function Broken({ broken: { kind, seq, expected, found }, from }: { broken: ChainBreak; from: number }) {
  return (
    <div className={classes.verdict} data-good={false}>
      <Said look="problem">{`✗ Broken at ${seq === 0 ? 'the launch' : `entry ${formatCount(seq)}`}`}</Said>
      <p className={classes.line}>
        {WHY[kind]} {seq > from + 1 && `All entries up to ${formatCount(seq - 1)} are in order.`}
      </p>
      <dl className={text.facts}>
        <div>
          <dt>Expected</dt>
          <dd className={text.hash}>{expected}</dd>
        </div>
        <div>
          <dt>Found</dt>
          <dd className={text.hash}>{found}</dd>
        </div>
      </dl>
    </div>
  )
}

/** Verifies a token's chain in the browser, then verifies each new trade as it arrives. */
function useChainCheck(id: TokenId) {
  const [check, setCheck] = useState<Check>({ state: 'idle' })
  const checker = useMemo(() => new ChainChecker(id, setCheck), [id])
  useEffect(() => () => checker.stop(), [checker])
  const newest = useRef(0)
  useRefetchOn({
    concerns: ({ tokenId, seq }) => {
      if (tokenId !== id) return false
      newest.current = Math.max(newest.current, seq)
      return true
    },
    // On failure, the next trade or reconnect retries.
    refetch: () => checker.follow(),
  })
  return {
    check,
    verify: (from: ChainPosition | null) => checker.verify(from, () => newest.current),
    stop: () => checker.stop(),
    forget: () => checker.forget(),
  }
}
