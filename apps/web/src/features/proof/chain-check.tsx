import { formatCount } from '@papermoon/format'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Said } from '../../components/feedback/spoken.tsx'
import { Button } from '../../components/form/button.tsx'
import { SelectField } from '../../components/form/text-field.tsx'
import { client, type TokenId } from '../../lib/api/api.ts'
import { getSentence, NO_RESPONSE } from '../../lib/api/failure.ts'
import { counted } from '../../lib/format/counted.ts'
import { sha256 } from '../../lib/format/sha256.ts'
import classes from './chain-check.module.css'
import { Facts } from './facts.tsx'
import text from './proof-text.module.css'
import { type Comparison, FROM_LAUNCH, hourText, useStarts } from './published-hashes.ts'
import { retryAfter } from './retry-after.ts'
import { type Check, useChainCheck, type Verified } from './use-chain-check.ts'
import type { BreakKind, ChainBreak } from './walk-chain.ts'
import { walkSeals } from './walk-seals.ts'

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
  const [chosen, setChosen] = useState(FROM_LAUNCH)
  const isRunning = check.state === 'running'
  const choose = (key: string) => {
    setChosen(key)
    forget()
  }
  const begin = () => void verify(starts.find(({ key }) => key === chosen)?.position ?? null)
  return (
    <div className="stack gap-m">
      <div className="flex far wrap gap-m">
        {starts.length > 1 && (
          <SelectField
            className="grow-wrap"
            label="Start from"
            data={starts.map(({ key, label }) => ({ value: key, label }))}
            value={chosen}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        )}
        <Button onClick={isRunning ? stop : begin} look={isRunning ? 'quiet' : 'moon'}>
          {LABELS[check.state]}
        </Button>
      </div>
      {isRunning && (
        <div className="stack gap-xs small">
          <progress
            className="full"
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
  start: 'The hash differs from the hash that you started from.',
  token: 'The entry belongs to another token.',
  number: 'The entry is missing or out of order.',
  hash: 'The hash doesn’t match the trade, so something was changed afterwards.',
  head: 'The server reports a different hash for the last entry.',
}

/** Shows the result of a verification. */
function Verdict({ check }: { check: Check }) {
  if (check.state === 'verified') return <Whole check={check} />
  if (check.state === 'broken') return <Broken broken={check.broken} from={check.start.seq} />
  if (check.state === 'stopped') {
    return (
      <Said look="dim prose pretty">{`You stopped after ${counted(check.done, 'entry', 'entries')}. All of them are in order.`}</Said>
    )
  }
  if (check.state !== 'failed') return null
  const why = getSentence(check.error) ?? NO_RESPONSE
  return (
    <Said look="problem">{`The verification was interrupted after ${counted(check.done, 'entry', 'entries')}. ${why}`}</Said>
  )
}

/** The look of a hash. */
const HASH = 'mono text-s breaks'

function Whole({ check }: { check: Verified }) {
  const { start, position, isClosed, comparison } = check
  const isOther = comparison.kind === 'other'
  const compared = 'published' in comparison ? formatCount(comparison.published.seq) : ''
  const hashes =
    comparison.kind === 'other'
      ? ([
          [`Published hash of entry ${compared}`, comparison.published.hash, HASH],
          [`Current hash of entry ${compared}`, comparison.found ?? 'missing', HASH],
        ] as const)
      : []
  const entries = counted(position.seq - start.seq, 'entry', 'entries')
  const verified =
    start.seq === 0
      ? `Your browser verified ${entries} from the launch on.`
      : `Your browser verified ${entries} after entry ${formatCount(start.seq)}.`
  return (
    <div className={`stack gap-s p-m-l round-m ${classes.verdict}`} data-good={!isOther}>
      <Said look={isOther ? 'problem' : text.good}>
        {isOther ? '✗ This chain does not match the published copy' : '✓ Verified'}
      </Said>
      <p className="prose pretty">
        {verified} Each hash follows from the previous one.{' '}
        {isClosed
          ? 'The last entry is the rug pull, so there are no later trades.'
          : 'New trades are verified as they happen.'}
      </p>
      <ComparedLine comparison={comparison} />
      <Facts rows={[[`Hash of the last entry, ${formatCount(position.seq)}`, position.hash, HASH], ...hashes]} />
    </div>
  )
}

/** Verifies the token's seals, which have a separate hash chain. Renders nothing if the token was never sealed. */
function Seals({ id }: { id: TokenId }) {
  const { data, isError } = useQuery({
    queryKey: ['seals', id],
    queryFn: ({ signal }) => {
      const fetchPage = (after: number) => retryAfter(() => client.proof.seals.query({ id, after }, { signal }), signal)
      return walkSeals({ tokenId: id, fetchPage, sha256 })
    },
    staleTime: 0,
  })
  if (isError) return <Said look="problem">Could not verify the token’s seals, because the server didn’t respond.</Said>
  if (data === undefined) return null
  if (data.broken !== null)
    return <Said look="problem">{`✗ The token’s chain of seals is broken at seal ${formatCount(data.broken)}`}</Said>
  return data.count === 0 ? null : <p className="dim prose pretty">{counted(data.count, 'seal')} verified.</p>
}

function ComparedLine({ comparison }: { comparison: Comparison }) {
  if (comparison.kind === 'none') {
    return (
      <p className="prose pretty">We have not published a hash of this token yet. We publish hashes once an hour.</p>
    )
  }
  const { published } = comparison
  const publication = `${hourText(published.hour)} (entry ${formatCount(published.seq)})`
  if (comparison.kind === 'same') {
    return <p className="prose pretty">This chain contains the hash that we published for {publication}.</p>
  }
  if (comparison.kind === 'before') {
    return (
      <p className="prose pretty">
        The hash that we published for {publication} is older than your starting point. Start from the launch to compare
        that hash.
      </p>
    )
  }
  return (
    <p className="prose pretty">
      This chain does not contain the hash that we published for {publication}. The chain’s hashes fit together, so the
      whole chain was rewritten since then.
    </p>
  )
}

function Broken({ broken: { kind, seq, expected, found }, from }: { broken: ChainBreak; from: number }) {
  return (
    <div className={`stack gap-s p-m-l round-m ${classes.verdict}`} data-good={false}>
      <Said look="problem">{`✗ The chain is broken at ${seq === 0 ? 'the launch' : `entry ${formatCount(seq)}`}`}</Said>
      <p className="prose pretty">
        {WHY[kind]} {seq > from + 1 && `All entries up to ${formatCount(seq - 1)} are in order.`}
      </p>
      <Facts
        rows={[
          ['Expected', expected, HASH],
          ['Found', found, HASH],
        ]}
      />
    </div>
  )
}
