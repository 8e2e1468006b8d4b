import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { getSentence } from '../../../lib/api/failure.ts'
import { canHash } from '../chain/sha256.ts'
import text from '../proof-text.module.css'
import { type ComparedCopy, compareCopy } from './compare-copy.ts'
import { ComparedTable } from './compared-table.tsx'
import { COPY_CHARACTERS_MAX, readKeptCopy } from './kept-copy.ts'
import { createToday } from './today.ts'

type Comparing =
  | { readonly state: 'idle' | 'running' }
  | { readonly state: 'refused'; readonly why: string }
  | { readonly state: 'compared'; readonly copy: ComparedCopy }

/** A form that compares a kept copy of published heads with today's. */
export function KeptCopyForm() {
  const id = useId()
  const [typed, setTyped] = useState('')
  const { comparing, compare, forget } = useComparing()
  if (!canHash()) return null
  const isRunning = comparing.state === 'running'
  const change = (next: string) => {
    setTyped(next)
    // The result belongs to the previous copy.
    forget()
  }
  const takeFile = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const [file] = input.files ?? []
    // Files may have any size; read no more than shows that it is too large.
    if (file !== undefined) change(await file.slice(0, COPY_CHARACTERS_MAX + 1).text())
    input.value = ''
  }
  return (
    <>
      <div className={text.field}>
        <label htmlFor={id} className={text.label}>
          Compare a copy you kept
        </label>
        <textarea
          id={id}
          className={text.input}
          placeholder='{"hour":"2026-01-05T18:00:00.000Z","heads":[…'
          spellCheck={false}
          value={typed}
          onChange={(event) => change(event.currentTarget.value)}
        />
      </div>
      <div className={text.row}>
        <Button disabled={isRunning || typed.trim() === ''} onClick={() => void compare(typed)}>
          {isRunning ? 'Comparing…' : 'Compare'}
        </Button>
        <label className={text.file}>
          or choose its file
          <input type="file" accept=".json,application/json" onChange={(event) => void takeFile(event)} />
        </label>
      </div>
      <div role="status">
        {comparing.state === 'refused' && <p className={text.bad}>{comparing.why}</p>}
        {comparing.state === 'compared' && <ComparedTable copy={comparing.copy} />}
      </div>
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
    return { state: 'compared', copy: await compareCopy(readKeptCopy(typed), createToday(signal)) }
  } catch (error) {
    if (error instanceof SyntaxError) return { state: 'refused', why: error.message }
    return { state: 'refused', why: getSentence(error) ?? 'The server did not answer. Check your connection.' }
  }
}
