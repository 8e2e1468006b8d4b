import { formatGain } from '@papermoon/format'
import { useState } from 'react'
import { Change } from '../../../components/figures/change.tsx'
import { Button } from '../../../components/form/button.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { type CurrentUser, type Token, trpc } from '../../../lib/api/api.ts'
import { copyText } from '../../../lib/ui/copy-text.ts'
import { showFailure, showToast } from '../../../lib/ui/toasts.ts'
import classes from './win-panel.module.css'

const SOL_SHOWN = 6
const WIDTH = 1_200
const HEIGHT = 630

/** A closed position that won more than 10 %, with its picture to share; nothing for any other. */
export function WinPanel({ token, user }: { token: Token; user: CurrentUser }) {
  const query = trpc.users.closedWin.useQuery({ userId: user.id, tokenId: token.id }, { staleTime: 0 })
  const [isBusy, setBusy] = useState(false)
  const win = query.data?.win
  if (win == null || query.isFetching) return null
  const path = `/og/win/${token.id}/${user.id}.png`
  const name = `${token.symbol}-win.png`
  const share = async () => {
    setBusy(true)
    await shareCard({ path, name, text: `${formatGain(win.profit, 2)} SOL with ${token.name} (${token.symbol})` })
    setBusy(false)
  }
  return (
    <Panel title={`You won with ${token.symbol}`}>
      <p className={classes.text}>
        All of it is sold: <strong title={`${win.profit} SOL`}>{formatGain(win.profit, SOL_SHOWN)} SOL</strong>{' '}
        <Change percent={win.profitPercent} /> over {win.trades} trades, fees included.
      </p>
      <img
        className={classes.card}
        src={`${path}?v=${Date.parse(win.endedAt)}`}
        width={WIDTH}
        height={HEIGHT}
        loading="lazy"
        alt={`A card: ${user.username} won ${formatGain(win.profit, 2)} SOL with ${token.name}`}
      />
      <div className={classes.buttons}>
        <Button disabled={isBusy} onClick={() => void share()}>
          Share the card
        </Button>
        <a className={classes.save} href={path} download={name}>
          Save it
        </a>
      </div>
    </Panel>
  )
}

interface SharedCard {
  readonly path: string
  readonly name: string
  readonly text: string
}

/** Shares the picture by the device's own sheet where it takes files, else copies the picture's address. */
async function shareCard({ path, name, text }: SharedCard): Promise<void> {
  const url = new URL(path, location.origin).href
  try {
    if (typeof navigator.canShare === 'function') {
      const files = [new File([await (await fetch(path)).blob()], name, { type: 'image/png' })]
      if (navigator.canShare({ files })) return await navigator.share({ files, text })
    }
  } catch (error) {
    // The player closed the sheet; any other failure leaves the copy.
    if (error instanceof DOMException && error.name === 'AbortError') return
  }
  if (await copyText(url)) showToast({ title: 'Copied!', message: 'Link to the card copied to clipboard' })
  else showFailure('Copy failed', null, url)
}
