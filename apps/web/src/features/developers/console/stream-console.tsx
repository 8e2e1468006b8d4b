import { memo, useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { toPlainDigits } from '../../../lib/format/plain-digits.ts'
import {
  describeEvent,
  type Entry,
  EVENT_TYPES,
  EVENTS_MAX,
  EVERYTHING,
  type EventFilter,
  toAddress,
} from './event-list.ts'
import classes from './stream-console.module.css'
import { type Stream, useStream } from './use-stream.ts'

/**
 * Shows the market's events as they arrive, and their JSON. The visitor can filter and pause the events. The console
 * connects only on request.
 */
export function StreamConsole() {
  const [filter, setFilter] = useState<EventFilter>(EVERYTHING)
  const address = toAddress(filter)
  const stream = useStream(address)
  return (
    <section className="round-m on-surface text-m my-l clipped edge-inside" aria-label="Live events">
      <Controls stream={stream} />
      <Filters filter={filter} onChange={setFilter} />
      <p className="small p-m-l breaks">
        {address === null ? 'Choose an event type. Enter token IDs such as 1, 7.' : <code>GET {address}</code>}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <div className={`torn-top focus-inside ${classes.frame}`} tabIndex={0}>
        {stream.entries.length === 0 ? (
          <p className="p-l dim text-center balance boxed high">{toHint(stream)}</p>
        ) : (
          <ol>
            {stream.entries.map((entry) => (
              <EventRow key={entry.id} entry={entry} />
            ))}
          </ol>
        )}
      </div>
    </section>
  )
}

function Controls({ stream }: { stream: Stream }) {
  const { state, isPaused, waiting, entries } = stream
  const isOpen = state !== 'closed'
  return (
    <div className="row gap-s wrap p-m-l">
      <Button onClick={isOpen ? stream.close : stream.open}>{isOpen ? 'Disconnect' : 'Connect'}</Button>
      <Button look="quiet" disabled={!isOpen} onClick={() => stream.setPaused(!isPaused)}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <Button look="quiet" disabled={entries.length === 0} onClick={stream.clear}>
        Clear
      </Button>
      <span className={`px-s dim semibold ${classes.state}`} data-state={isPaused ? 'paused' : state} role="status">
        {isPaused ? 'Paused' : STATES[state]}
      </span>
      {isPaused && <span className="dim">{toCount(waiting)} waiting</span>}
    </div>
  )
}

const STATES = {
  closed: 'Not connected',
  connecting: 'Connecting…',
  live: 'Live',
  away: 'Disconnected. Reconnecting…',
} as const

interface FiltersProps {
  readonly filter: EventFilter
  readonly onChange: (filter: EventFilter) => void
}

function Filters({ filter, onChange }: FiltersProps) {
  const { types, tokens } = filter
  return (
    <div className="row gap-wide wrap p-m-l">
      <fieldset className="row gap-wide wrap">
        <legend className="visually-hidden">Event types</legend>
        {EVENT_TYPES.map(({ type, label }) => (
          <label key={type} className="row gap-s touch pointer">
            <input
              type="checkbox"
              checked={types.includes(type)}
              onChange={({ currentTarget: { checked } }) =>
                onChange({ ...filter, types: checked ? [...types, type] : types.filter((it) => it !== type) })
              }
            />
            {label}
          </label>
        ))}
      </fieldset>
      <label className="row gap-s">
        Tokens
        <input
          className={`field ${classes.field}`}
          placeholder="All tokens, or IDs such as 1, 7"
          inputMode="numeric"
          autoComplete="off"
          maxLength={80}
          value={tokens}
          onChange={({ currentTarget }) => onChange({ ...filter, tokens: toPlainDigits(currentTarget.value) })}
        />
      </label>
    </div>
  )
}

function toHint({ state }: Stream): string {
  if (state === 'closed') return 'Connect to see every trade, launch and rug pull as it happens.'
  if (state === 'away') return 'The connection was lost. We try again every 3 seconds.'
  return 'No events yet. The next matching event appears here.'
}

/** Formats a number of events, which is counted only up to `EVENTS_MAX`. */
function toCount(waiting: number): string {
  return waiting < EVENTS_MAX ? String(waiting) : `${EVENTS_MAX} or more`
}

/** Colours of events that players wait for. */
const KIND_LOOKS: Readonly<Record<string, string>> = { rug_pull: 'alarm', token_launched: 'accent' }

/** Shows an event in one line, and its complete JSON when the visitor opens it. */
const EventRow = memo(function EventRow({ entry: { atMs, event } }: { entry: Entry }) {
  return (
    <li className={classes.row}>
      <details>
        <summary className="row baseline gap-x-m wrap p-s-m focus-inside">
          <time className="small">{new Date(atMs).toTimeString().slice(0, 8)}</time>
          <span className={`bold ${KIND_LOOKS[event.type] ?? ''}`}>{event.type}</span>
          <span className="dim">token {event.tokenId}</span>
          <span className="fit breaks">{describeEvent(event)}</span>
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <pre className={`p-m-l text-s ${classes.json}`} tabIndex={0}>
          {JSON.stringify(event, null, 2)}
        </pre>
      </details>
    </li>
  )
})
