import { QUICK_ENTRY_MS } from '@papermoon/contract/fair-tokens'
import { useRef } from 'react'
import type { Fair } from '../../lib/api/api.ts'
import { getPhase, hasJoined, type Phase, toClock } from '../../lib/fairs/fair-time.ts'
import { useEnterFair } from '../../lib/fairs/use-enter-fair.ts'
import { useFocusFallback } from '../../lib/hooks/use-focus-fallback.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Button, ButtonLink } from '../form/button.tsx'

interface EnterButtonProps {
  readonly fair: Fair
  readonly invite?: string | undefined
  readonly isQuiet?: boolean
  /** Text of the button (default: `Enter`). */
  readonly label?: string
  /** Whether the button is on the fair's own page, where players who have entered need no link to the fair. */
  readonly isHere?: boolean
  readonly isSmall?: boolean
}

/**
 * A button that enters a fair and opens its page. Players who have already entered get a link to that page. If nobody
 * can enter, the button says why.
 */
export function EnterButton(props: EnterButtonProps) {
  const { fair, invite, isQuiet = false, label = 'Enter', isHere = false, isSmall } = props
  const nowMs = useNow()
  const phase = getPhase(fair, nowMs)
  const { enter, isEntering } = useEnterFair(fair, { invite, leadsThere: !isHere })
  const look = isQuiet ? 'quiet' : 'moon'
  const link = useRef<HTMLAnchorElement>(null)
  useFocusFallback(link, hasJoined(fair))
  if (hasJoined(fair)) {
    if (isHere) return null
    return (
      <ButtonLink ref={link} to="/fairs/{-$id}" params={{ id: String(fair.id) }} look={look} tall>
        You’re in. Go to the fair
      </ButtonLink>
    )
  }
  const refusal = findRefusal(fair, phase, nowMs)
  return (
    <Button look={look} tall={!isSmall} disabled={isEntering || refusal !== null} onClick={enter}>
      {refusal ?? (isEntering ? 'Entering...' : label)}
    </Button>
  )
}

function findRefusal(fair: Fair, phase: Phase, nowMs: number): string | null {
  if (fair.me?.hasLeft === true) return 'You left this fair'
  if (fair.kind === 'cup') return 'Only bots can enter'
  if (phase === 'soon') return `The lobby opens in ${toClock(Date.parse(fair.lobbyAt) - nowMs)}`
  if (phase === 'over' || phase === 'counting') return 'This fair has ended'
  if (fair.state === 'open' && !fair.lateEntry) return 'This fair has started'
  if (fair.isQuick && nowMs >= Date.parse(fair.startsAt) + QUICK_ENTRY_MS)
    return 'Entry was open only in the first minute'
  return fair.entrants >= fair.entrantsMax ? 'This fair is full' : null
}

/** Replaces a trade panel if the player must first enter the token's fair, or if the fair has ended. */
export function EnterFirst({ fair }: { fair: Fair | undefined }) {
  if (fair === undefined) return null
  const isOver = fair.state === 'settled' || fair.state === 'void'
  return (
    <div className="stack gap-m p-l">
      <p>
        {isOver
          ? `${fair.name} has ended. Nobody can trade here any more.`
          : `Enter this fair to trade. Everyone starts with ${fair.stake} SOL that counts only in this fair.`}
      </p>
      {!isOver && <EnterButton fair={fair} isHere />}
    </div>
  )
}
