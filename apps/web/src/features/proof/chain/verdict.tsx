import { getSentence } from '../../../lib/api/failure.ts'
import { counted } from '../../../lib/format/counted.ts'
import { formatCount } from '../../../lib/format/format.ts'
import { hourText } from '../heads/hour-text.ts'
import type { Comparison } from '../heads/published-head.ts'
import text from '../proof-text.module.css'
import type { Check, Verified } from './chain-checker.ts'
import classes from './verdict.module.css'
import type { BreakKind, ChainBreak } from './walk-chain.ts'

const WHY: Record<BreakKind, string> = {
  launch: 'The launch does not give the hash that the chain begins with.',
  start: 'Its hash is not the one that stood there before.',
  token: 'It belongs to another token.',
  number: 'It is not there, or not in its place.',
  hash: 'Its figures do not give its hash: one of them was changed after the trade.',
  head: 'The server names another hash for the end of the chain.',
}

/** The result of a verification. */
export function Verdict({ check }: { check: Check }) {
  if (check.state === 'verified') return <Whole check={check} />
  if (check.state === 'broken') return <Broken broken={check.broken} from={check.start.seq} />
  if (check.state === 'stopped') {
    return <p className={text.text}>Stopped after {counted(check.done, 'entry', 'entries')}. They were all in order.</p>
  }
  if (check.state !== 'failed') return null
  const why = getSentence(check.error) ?? 'The server did not answer. Check your connection.'
  return (
    <p className={text.bad}>
      The verification could not go on behind {counted(check.done, 'entry', 'entries')}: {why}
    </p>
  )
}

function Whole({ check }: { check: Verified }) {
  const { start, place, isClosed, comparison } = check
  const isOther = comparison.kind === 'other'
  return (
    <div className={classes.verdict} data-good={!isOther}>
      <p className={isOther ? text.bad : text.good}>
        {isOther ? '✗ Not the history that was published' : '✓ Verified'}
      </p>
      <p className={classes.line}>
        {counted(place.seq - start.seq, 'entry', 'entries')}{' '}
        {start.seq === 0 ? 'from the launch on' : `behind entry ${formatCount(start.seq)}`}: each follows from the one
        before it.{' '}
        {isClosed ? 'The last one is the rug pull: nothing follows.' : 'New trades are verified as they happen.'}
      </p>
      <ComparedLine comparison={comparison} />
      <dl className={text.facts}>
        <div>
          <dt>Head: entry {formatCount(place.seq)}</dt>
          <dd className={text.hash}>{place.hash}</dd>
        </div>
        {isOther && <Published comparison={comparison} />}
      </dl>
    </div>
  )
}

function ComparedLine({ comparison }: { comparison: Comparison }) {
  if (comparison.kind === 'none') {
    return <p className={classes.line}>It is not among the published heads yet; those are made once an hour.</p>
  }
  const { published } = comparison
  const head = `The head published for ${hourText(published.hour)}, entry ${formatCount(published.seq)},`
  if (comparison.kind === 'same') return <p className={classes.line}>{head} lies on this chain.</p>
  if (comparison.kind === 'before') {
    return <p className={classes.line}>{head} comes before what you verified. Begin with the launch to compare it.</p>
  }
  return (
    <p className={classes.line}>
      {head} does not lie on this chain. The chain is in order by itself, so it was rewritten since then.
    </p>
  )
}

function Published({ comparison: { published, found } }: { comparison: Extract<Comparison, { kind: 'other' }> }) {
  return (
    <>
      <div>
        <dt>Entry {formatCount(published.seq)}, published</dt>
        <dd className={text.hash}>{published.hash}</dd>
      </div>
      <div>
        <dt>Entry {formatCount(published.seq)}, today</dt>
        <dd className={text.hash}>{found ?? 'not there'}</dd>
      </div>
    </>
  )
}

function Broken({ broken: { kind, seq, expected, found }, from }: { broken: ChainBreak; from: number }) {
  return (
    <div className={classes.verdict} data-good={false}>
      <p className={text.bad}>✗ Broken at {seq === 0 ? 'the launch' : `entry ${formatCount(seq)}`}</p>
      <p className={classes.line}>
        {WHY[kind]} {seq > from + 1 && `Up to entry ${formatCount(seq - 1)} all is in order.`}
      </p>
      <dl className={text.facts}>
        <div>
          <dt>It should say</dt>
          <dd className={text.hash}>{expected}</dd>
        </div>
        <div>
          <dt>It says</dt>
          <dd className={text.hash}>{found}</dd>
        </div>
      </dl>
    </div>
  )
}
