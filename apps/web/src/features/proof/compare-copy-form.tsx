import { formatCount } from '@papermoon/format'
import { Link } from '@tanstack/react-router'
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react'
import { Said } from '../../components/feedback/spoken.tsx'
import { Button } from '../../components/form/button.tsx'
import { client, type TokenId } from '../../lib/api/api.ts'
import { getReason, getSentence, NO_RESPONSE } from '../../lib/api/failure.ts'
import { counted } from '../../lib/format/counted.ts'
import { canHash, sha256 } from '../../lib/format/sha256.ts'
import {
  COPY_CHARACTERS_MAX,
  type ComparedCopy,
  type ComparedHead,
  compareCopy,
  type HeadStatus,
  readCopiedHeads,
  type Today,
} from './compare-copy.ts'
import text from './proof-text.module.css'
import { hourText } from './published-hashes.ts'
import { retryAfter } from './retry-after.ts'

type Comparing =
  | { readonly state: 'idle' | 'running' }
  | { readonly state: 'refused'; readonly why: string }
  | { readonly state: 'compared'; readonly copy: ComparedCopy }

/** A form that compares a stored copy of published hashes with today's hashes. */
export function CompareCopyForm() {
  const id = useId()
  const [typed, setTyped] = useState('')
  const { comparing, compare, forget } = useComparing()
  if (!canHash()) return null
  const isRunning = comparing.state === 'running'
  const change = (next: string) => {
    setTyped(next)
    // Remove the result, because it belongs to the previous copy.
    forget()
  }
  const takeFile = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const [file] = input.files ?? []
    // Read only enough to know that a file is too large, because a file may have any size.
    if (file !== undefined) change(await file.slice(0, COPY_CHARACTERS_MAX + 1).text())
    input.value = ''
  }
  return (
    <>
      <div className="stack gap-xs fit">
        <label htmlFor={id} className="semibold">
          Compare a saved copy
        </label>
        <textarea
          id={id}
          className="field full"
          placeholder='{"hour":"2026-01-05T18:00:00.000Z","heads":[…'
          spellCheck={false}
          value={typed}
          onChange={(event) => change(event.currentTarget.value)}
        />
      </div>
      <div className="row gap-m wrap">
        <Button disabled={isRunning || typed.trim() === ''} onClick={() => void compare(typed)}>
          {isRunning ? 'Comparing…' : 'Compare'}
        </Button>
        <label className="row gap-s wrap fit bounded touch dim">
          Or choose a file
          <input
            type="file"
            className={`bounded ${text.file}`}
            accept=".json,application/json"
            onChange={(event) => void takeFile(event)}
          />
        </label>
      </div>
      {comparing.state === 'refused' && <Said look="problem">{comparing.why}</Said>}
      {comparing.state === 'compared' && <ComparedTable copy={comparing.copy} />}
    </>
  )
}

function useComparing() {
  const [comparing, setComparing] = useState<Comparing>({ state: 'idle' })
  const control = useRef<AbortController | null>(null)
  useEffect(() => () => control.current?.abort(), [])
  const compare = async (typed: string) => {
    control.current?.abort()
    const own = new AbortController()
    control.current = own
    setComparing({ state: 'running' })
    const next = await compareTyped(typed, own.signal)
    if (!own.signal.aborted) setComparing(next)
  }
  const forget = () => {
    control.current?.abort()
    setComparing({ state: 'idle' })
  }
  return { comparing, compare, forget }
}

async function compareTyped(typed: string, signal: AbortSignal): Promise<Comparing> {
  try {
    return { state: 'compared', copy: await compareCopy(readCopiedHeads(typed), createToday(signal)) }
  } catch (error) {
    if (error instanceof SyntaxError) return { state: 'refused', why: error.message }
    return { state: 'refused', why: getSentence(error) ?? NO_RESPONSE }
  }
}

const STATUS_LABELS: Record<HeadStatus, string> = {
  same: '✓ unchanged',
  other: '✗ different hash',
  gone: '✗ missing',
  hidden: 'token no longer public',
}

/** Shows the result of the comparison, one hash per row. */
function ComparedTable({ copy }: { copy: ComparedCopy }) {
  const { hour, isWhole, isPublished, heads, left } = copy
  const wrong = heads.filter(({ status }) => status === 'other' || status === 'gone').length
  const hidden = heads.filter(({ status }) => status === 'hidden').length
  const isGood = wrong === 0 && isWhole !== false && isPublished
  const verdict = isGood ? '✓ No hash in your copy has changed' : '✗ Your copy does not match our current records'
  return (
    <div className="stack gap-s">
      <Said look={isGood ? text.good : 'problem'}>{verdict}</Said>
      <ul className="bullets">
        <li>
          {`Hashes that are still in our chains: ${formatCount(heads.length - wrong - hidden)} of ${formatCount(heads.length)}.`}
          {hidden > 0 && ` Hashes of tokens that are no longer public: ${hidden}.`}
        </li>
        <li>{PUBLISHED[isPublished ? 'same' : 'other'](hourText(hour))}</li>
        {isWhole === false && <li>The copy’s digest does not match its hashes, so the copy itself was changed.</li>}
        {isWhole === null && <li>This copy is one page of several, so we couldn’t check its overall digest.</li>}
        {left > 0 && (
          <li>We skipped {counted(left, 'hash', 'hashes')}. Paste fewer hashes at a time to compare all of them.</li>
        )}
      </ul>
      {heads.length > 0 && <Heads heads={heads} />}
      <p className="small">
        An unchanged hash does not prove that earlier trades are unchanged. Verify the token’s chain too.
      </p>
    </div>
  )
}

const PUBLISHED = {
  same: (hour: string) => `The server still returns the same digest for ${hour}.`,
  other: (hour: string) => `The server no longer returns the same digest for ${hour}.`,
} as const

function Heads({ heads }: { heads: readonly ComparedHead[] }) {
  return (
    <div className="scrolls" style={{ maxHeight: 320 }}>
      <table className="table" aria-label="Hashes in your copy">
        <thead>
          <tr>
            <th scope="col">Token</th>
            <th scope="col">Entry</th>
            <th scope="col">Current hash</th>
          </tr>
        </thead>
        <tbody>
          {heads.map(({ tokenId, seq, hash, status }) => (
            <tr key={tokenId}>
              <td>
                <Link to="/proof" search={{ token: tokenId as TokenId }} resetScroll={false} className="link">
                  {tokenId}
                </Link>
              </td>
              <td>{formatCount(seq)}</td>
              <td className={status === 'same' ? '' : 'problem'} title={hash}>
                {STATUS_LABELS[status]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Asks the server for its current data until `signal` aborts. */
function createToday(signal: AbortSignal): Today {
  return {
    sha256,
    hashAt: async (tokenId, seq) => {
      const input = { id: tokenId as TokenId, after: seq, limit: 1 }
      try {
        return (await retryAfter(() => client.proof.chain.query(input, { signal }), signal)).after.hash
      } catch (error) {
        const reason = getReason(error)
        if (reason === 'TOKEN_NOT_FOUND') return 'hidden'
        if (reason === 'NOT_FOUND') return 'gone'
        throw error
      }
    },
    fetchDigest: async (hour) => {
      try {
        return (await retryAfter(() => client.proof.headsAt.query({ hour, limit: 1 }, { signal }), signal)).digest
      } catch (error) {
        if (getReason(error) === 'NOT_FOUND') return null
        throw error
      }
    },
  }
}
