import { useEffect, useRef, useState } from 'react'
import type { Phase } from '../../lib/fairs/fair-time.ts'
import { playFill, playWhale } from '../../lib/ui/sound.ts'
import classes from './fair-announcer.module.css'

const TOLD: Readonly<Partial<Record<Phase, string>>> = {
  lobby: 'The lobby is open.',
  open: 'Trading has started.',
  bell: 'The bell can ring at any moment now.',
  counting: 'The bell has rung. Trading is over.',
  over: 'The results are in.',
}

const MOMENT_MS = 3_200

/** The moments that everyone should notice, with a picture over the page. */
const MOMENTS = { start: { emoji: '🎪', words: 'Trade!' }, bell: { emoji: '🔔', words: 'The bell!' } } as const

/** Announces each new phase of a fair once. The start and the bell are shown large for a moment, with a sound. */
export function FairAnnouncer({ phase }: { phase: Phase }) {
  const shown = useRef(phase)
  const [moment, setMoment] = useState<keyof typeof MOMENTS | null>(null)
  useEffect(() => {
    const before = shown.current
    if (before === phase) return
    shown.current = phase
    const isEnd = phase === 'counting' || phase === 'over'
    if (phase === 'open') playFill()
    if (isEnd) playWhale()
    if (phase === 'open') setMoment('start')
    if (isEnd && (before === 'open' || before === 'bell')) setMoment('bell')
  }, [phase])
  useEffect(() => {
    if (moment === null) return
    const timer = setTimeout(() => setMoment(null), MOMENT_MS)
    return () => clearTimeout(timer)
  }, [moment])
  return (
    <>
      <p className="visually-hidden" role="status">
        {TOLD[phase]}
      </p>
      {moment !== null && (
        <div className={classes.moment} aria-hidden="true">
          <span className="emoji">{MOMENTS[moment].emoji}</span>
          <span className="display">{MOMENTS[moment].words}</span>
        </div>
      )}
    </>
  )
}
