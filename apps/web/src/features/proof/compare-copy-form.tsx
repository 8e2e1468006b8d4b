import '@mantine/core/styles/Table.css'
import { FileButton, Table } from '@mantine/core'
import { formatCount } from '@papermoon/format'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Said } from '../../components/feedback/spoken.tsx'
import { Button } from '../../components/form/button.tsx'
import { LongTextField } from '../../components/form/text-field.tsx'
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

/** A form that compares a stored copy of published hashes with today's hashes. */
export function CompareCopyForm() {
  const [typed, setTyped] = useState('')
  const control = useRef(new AbortController())
  useEffect(() => () => control.current.abort(), [])
  const { mutate, reset, isPending, data, error } = useMutation({
    mutationFn: (copy: string) => compareCopy(readCopiedHeads(copy), createToday(control.current.signal)),
  })
  if (!canHash()) return null
  const change = (next: string) => {
    setTyped(next)
    // Remove the result, because it belongs to the previous copy.
    control.current.abort()
    control.current = new AbortController()
    reset()
  }
  const takeFile = async (file: File | null) => {
    // Read only enough to know that a file is too large, because a file may have any size.
    if (file !== null) change(await file.slice(0, COPY_CHARACTERS_MAX + 1).text())
  }
  return (
    <>
      <LongTextField
        label="Compare a saved copy"
        placeholder='{"hour":"2026-01-05T18:00:00.000Z","heads":[…'
        spellCheck={false}
        value={typed}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <div className="acts">
        <Button disabled={isPending || typed.trim() === ''} onClick={() => mutate(typed)}>
          {isPending ? 'Comparing…' : 'Compare'}
        </Button>
        <FileButton accept=".json,application/json" onChange={(file) => void takeFile(file)}>
          {(button) => (
            <Button look="quiet" {...button}>
              Choose a file
            </Button>
          )}
        </FileButton>
      </div>
      {error !== null && (
        <Said look="problem">{error instanceof SyntaxError ? error.message : (getSentence(error) ?? NO_RESPONSE)}</Said>
      )}
      {data !== undefined && <ComparedTable copy={data} />}
    </>
  )
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
  const body = heads.map(({ tokenId, seq, hash, status }) => [
    <Link key="token" to="/proof" search={{ token: tokenId as TokenId }} resetScroll={false} className="link">
      {tokenId}
    </Link>,
    formatCount(seq),
    <span key="hash" className={status === 'same' ? '' : 'problem'} title={hash}>
      {STATUS_LABELS[status]}
    </span>,
  ])
  return (
    <div className="scrolls" style={{ maxHeight: 320 }}>
      <Table aria-label="Hashes in your copy" data={{ head: ['Token', 'Entry', 'Current hash'], body }} />
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
