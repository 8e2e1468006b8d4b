import { memo } from 'react'
import { describeEvent, type Entry } from './event-list.ts'
import classes from './stream-console.module.css'

/** One event: a line, and the whole of it when opened. */
export const EventRow = memo(function EventRow({ entry: { atMs, event } }: { entry: Entry }) {
  return (
    <li className={classes.row}>
      <details>
        <summary className={classes.summary}>
          <time className={classes.time}>{new Date(atMs).toTimeString().slice(0, 8)}</time>
          <span className={classes.kind} data-kind={event.type}>
            {event.type}
          </span>
          <span className={classes.token}>token {event.tokenId}</span>
          <span className={classes.text}>{describeEvent(event)}</span>
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <pre className={classes.json} tabIndex={0}>
          {JSON.stringify(event, null, 2)}
        </pre>
      </details>
    </li>
  )
})
