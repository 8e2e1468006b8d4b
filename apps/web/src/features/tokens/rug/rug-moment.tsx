import { type CSSProperties, type RefObject, useEffect, useState } from 'react'
import { Spoken } from '../../../components/feedback/spoken.tsx'
import type { Token } from '../../../lib/api/api.ts'
import { mayMove } from '../../../lib/ui/motion.ts'
import { playRug } from '../../../lib/ui/sound.ts'
import classes from './rug-moment.module.css'

const SHOWN_MS = 2_600
const SHAKE_MS = 480
const GRAINS = 22

interface RugMomentProps {
  readonly token: Token
  readonly stage: RefObject<HTMLElement | null>
}

/**
 * The effect of a rug pull that happens while the token's page is open: a stamp over the page, a shake, dust and, if
 * the player wants it, a sound. The effect takes no space and receives no clicks. If motion is off, there is only a
 * stamp that does not move.
 */
export function RugMoment({ token, stage }: RugMomentProps) {
  const [isShown, setShown] = useState(() => !document.hidden)
  const [moves] = useState(() => mayMove('shake'))
  useEffect(() => {
    if (document.hidden) return
    playRug()
    const shaking = mayMove('shake')
      ? stage.current?.animate(shake(), { duration: SHAKE_MS, easing: 'ease-out' })
      : null
    const timer = setTimeout(() => setShown(false), SHOWN_MS)
    return () => {
      clearTimeout(timer)
      shaking?.cancel()
    }
  }, [stage])
  return (
    <>
      <Spoken>{`The rug was pulled. ${token.symbol} is closed for good, and its price is 0.`}</Spoken>
      {isShown && (
        <div className={`boxed clipped untouchable ${classes.moment}`} data-moves={moves} aria-hidden="true">
          {moves && <Dust />}
          <span className={`stamp stamp-big alarm ${classes.stamp}`}>Rugged</span>
        </div>
      )}
    </>
  )
}

/** Returns the movements of the shake. The page moves left, right and back to the centre, each time less far. */
function shake(): Keyframe[] {
  const swings = [0, -9, 8, -6, 5, -3, 2, 0]
  return swings.map((x) => ({ transform: `translate(${x}px, ${Math.abs(x) / 3}px) rotate(${x / 22}deg)` }))
}

/** Draws dust that flies out from under the stamp, at even angles and uneven distances. */
function Dust() {
  return Array.from({ length: GRAINS }, (_, grain) => {
    const angle = (grain / GRAINS) * 2 * Math.PI
    const distance = 110 + ((grain * 67) % 130)
    const style = {
      '--x': `${Math.round(Math.cos(angle) * distance * 1.5)}px`,
      '--y': `${Math.round(Math.sin(angle) * distance * 0.7)}px`,
      '--size': `${6 + ((grain * 5) % 13)}px`,
    }
    return <span key={grain} className={classes.grain} style={style as CSSProperties} />
  })
}
