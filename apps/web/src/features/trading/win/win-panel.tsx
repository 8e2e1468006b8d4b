import { formatGain } from '@papermoon/format'
import { useState } from 'react'
import { Change } from '../../../components/figures/change.tsx'
import { Button } from '../../../components/form/button.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { type ClosedPosition, type CurrentUser, type Token, trpc } from '../../../lib/api/api.ts'
import { counted } from '../../../lib/format/counted.ts'
import { shareCard } from '../../../lib/ui/share-card.ts'

const WIDTH = 1_200
const HEIGHT = 630

/** Shows a closed position with its gain or loss, and a picture that the player can share. */
export function WinPanel({ token, user }: { token: Token; user: CurrentUser }) {
  const query = trpc.users.closedPosition.useQuery({ userId: user.id, tokenId: token.id }, { staleTime: 0 })
  const [isBusy, setBusy] = useState(false)
  const closed = query.data?.position
  if (closed == null || query.isFetching) return null
  const path = `/og/closed/${token.id}/${user.id}.png`
  const name = `${token.symbol}-${closed.profit.startsWith('-') ? 'loss' : 'win'}.png`
  const share = async () => {
    setBusy(true)
    await shareCard({
      path,
      name,
      text: `My result with ${token.name} (${token.symbol}): ${formatGain(closed.profit, 2)} SOL`,
    })
    setBusy(false)
  }
  return (
    <Panel title={toTitle(closed)}>
      <p>
        {closed.isRugged ? 'The token was rugged.' : 'You sold all your tokens.'} Your result after{' '}
        {counted(closed.trades, 'trade')} and all fees:{' '}
        <strong title={`${closed.profit} SOL`}>{formatGain(closed.profit)} SOL</strong>{' '}
        <Change percent={closed.profitPercent} />
      </p>
      <img
        className="scaled round-s on-sunken"
        src={`${path}?v=${Date.parse(closed.endedAt)}`}
        width={WIDTH}
        height={HEIGHT}
        loading="lazy"
        alt={`Result card: ${user.username} made ${formatGain(closed.profit, 2)} SOL with ${token.name}`}
      />
      <div className="row gap-wide wrap">
        <Button disabled={isBusy} onClick={() => void share()}>
          Share the card
        </Button>
        <a className="inline-row touch" href={path} download={name}>
          Save the card
        </a>
      </div>
    </Panel>
  )
}

function toTitle({ token, profit, isRugged }: ClosedPosition): string {
  if (isRugged) return `${token.symbol} was rugged while you held it`
  return profit.startsWith('-') ? `You lost with ${token.symbol}` : `You won with ${token.symbol}`
}
