import { formatChange, getSign } from '@papermoon/format'
import { Panel } from '../../components/layout/panel.tsx'
import type { Tape } from '../../lib/api/api.ts'
import { counted } from '../../lib/format/counted.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import classes from './tape.module.css'

const DAY_MS = 24 * 3_600_000
const WEEKS = 5
/** Arrows that mark a loss, no change, and a gain. */
const ARROWS = ['▼', '', '▲'] as const

export function TapeDays({ tape }: { tape: Tape }) {
  const { day, streak, calendar } = tape
  const played = new Map(calendar.map((each) => [each.day, each.percent]))
  const today = Date.parse(day)
  // Show whole weeks that start on Monday and end with the current week.
  const sunday = today + ((7 - new Date(today).getUTCDay()) % 7) * DAY_MS
  const days = Array.from({ length: WEEKS * 7 }, (_, index) => new Date(sunday - (WEEKS * 7 - 1 - index) * DAY_MS))
  return (
    <Panel
      title={streak === 0 ? 'Your games' : `Streak of ${counted(streak, 'day')}`}
      aside={<NextTape endsAt={tape.endsAt} />}
    >
      {calendar.length === 0 && <p className="visually-hidden">You have not played yet.</p>}
      <ol className={`grid gap-s ${classes.calendar}`} aria-label="Days played">
        {days.map((date, index) => {
          const percent = played.get(date.toISOString().slice(0, 10))
          const format = (month: 'long' | 'short') =>
            date.toLocaleDateString([], { day: 'numeric', month, timeZone: 'UTC' })
          const name = format('long')
          return (
            <li
              key={name}
              className="grid place-center items-center touch round-s on-sunken dim tight text-center"
              // Let screen readers announce only days with a result.
              aria-hidden={percent === undefined}
              data-sign={percent === undefined ? undefined : getSign(percent)}
              data-state={date.getTime() > today ? 'later' : date.getTime() === today ? 'today' : undefined}
            >
              <span aria-hidden="true">
                {index === 0 || date.getUTCDate() === 1 ? format('short') : date.getUTCDate()}
              </span>
              {percent !== undefined && (
                <span className="visually-hidden">
                  {name}: {formatChange(percent)}
                </span>
              )}
              {percent !== undefined && (
                <small className="text-xs" aria-hidden="true">
                  {ARROWS[getSign(percent) + 1]} <span className="phone-hidden">{formatChange(percent)}</span>
                </small>
              )}
            </li>
          )
        })}
      </ol>
      <p className="dim text-center">You can miss one day a week and keep your streak.</p>
    </Panel>
  )
}

function NextTape({ endsAt }: { endsAt: string }) {
  const minutes = Math.max(0, Math.ceil((Date.parse(endsAt) - useNow()) / 60_000))
  return (
    <span className="dim">
      Next tape in {Math.floor(minutes / 60)} h {minutes % 60} min
    </span>
  )
}
