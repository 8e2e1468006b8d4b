import { useEffect, useRef } from 'react'
import type { Phase } from '../../lib/fairs/fair-time.ts'
import { playFill, playWhale } from '../../lib/ui/sound.ts'

const TOLD: Readonly<Partial<Record<Phase, string>>> = {
  lobby: 'The lobby is open.',
  open: 'Trading has started.',
  bell: 'The bell can ring at any moment now.',
  counting: 'The bell has rung. Trading is over.',
  over: 'The results are in.',
}

/** Announces each new phase of a fair once, with a sound if sounds are on. */
export function FairAnnouncer({ phase }: { phase: Phase }) {
  const shown = useRef(phase)
  useEffect(() => {
    if (shown.current === phase) return
    shown.current = phase
    if (phase === 'open') playFill()
    if (phase === 'counting' || phase === 'over') playWhale()
  }, [phase])
  return (
    <p className="visually-hidden" role="status">
      {TOLD[phase]}
    </p>
  )
}
