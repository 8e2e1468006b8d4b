import { useAway } from '../../../lib/ui/visits.ts'
import { WelcomeTicket } from '../welcome/welcome-ticket.tsx'
import { TonightTicket } from './tonight-ticket.tsx'

/** Shows players what happened while they were away, or what they can do today. */
export function PlayerTicket({ playerId }: { playerId: number }) {
  const sinceMs = useAway(playerId)
  return sinceMs === null ? <TonightTicket /> : <WelcomeTicket sinceMs={sinceMs} />
}
