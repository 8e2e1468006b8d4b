import { Decimal } from '@papermoon/amm'
import { formatSol, formatTokens, formatUsdHint } from '@papermoon/format'
import { type FormEvent, useId, useState } from 'react'
import { Fact } from '../../../components/figures/fact.tsx'
import { Button } from '../../../components/form/button.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { Dialog } from '../../../components/layout/dialog.tsx'
import { type Token, trpc } from '../../../lib/api/api.ts'
import { counted } from '../../../lib/format/counted.ts'
import { type RugStakes, rugStakes } from './rug-stakes.ts'

interface RugDialogProps {
  readonly token: Token
  readonly isBusy: boolean
  readonly onPull: () => void
  readonly onClose: () => void
}

/** Asks the creator to type the ticker to confirm a rug pull. The dialog shows live who would lose how much. */
export function RugDialog({ token, isBusy, onPull, onClose }: RugDialogProps) {
  const { symbol } = token
  const [typed, setTyped] = useState('')
  const note = useId()
  const isMeant = typed.normalize('NFC').trim().toUpperCase() === symbol
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isMeant && !isBusy) onPull()
  }
  return (
    <Dialog title={`Pull the rug on ${symbol}?`} isBusy={isBusy} onClose={onClose}>
      <form className="p-xs-s stack gap-l fit" aria-busy={isBusy} onSubmit={submit}>
        <TextField
          label={`Type ${symbol} to confirm`}
          aria-describedby={note}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          data-autofocus
          readOnly={isBusy}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Consequences token={token} />
        <p id={note} className="semibold breaks">
          You cannot undo this. {symbol} closes for good, its price becomes 0, and nobody can buy or sell it again.
        </p>
        <div className="answers">
          <Button look="quiet" disabled={isBusy} onClick={onClose}>
            Keep the token open
          </Button>
          <Button type="submit" look="danger" disabled={!isMeant || isBusy}>
            {isBusy ? 'Pulling...' : isMeant ? 'Pull the rug' : `Type ${symbol} first`}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Consequences({ token }: { token: Token }) {
  const { id, symbol, pool, creatorHolding } = token
  const holders = trpc.tokens.holders.useQuery({ id })
  const stakes = holders.data === undefined ? null : rugStakes(token, holders.data, creatorHolding)
  return (
    <dl className="stack gap-m p-m-l round-m on-sunken">
      <Fact
        isBelow
        label="You drain"
        beside={`${formatUsdHint(pool.realSol)}, all the SOL that players put into the pool`}
      >
        <strong className="alarm text-xl tight">{formatSol(pool.realSol)} SOL</strong>
      </Fact>
      <Fact isBelow label="Other holders" beside={stakes && formatOthersLoss(stakes, symbol)}>
        {stakes === null ? '…' : othersText(stakes)}
      </Fact>
      {new Decimal(creatorHolding).gt(0) && (
        <Fact isBelow label="Your own tokens" beside="They become worth 0 too">
          {formatTokens(creatorHolding)} {symbol}
        </Fact>
      )}
    </dl>
  )
}

function othersText({ others, isAtLeast }: RugStakes): string {
  if (others === 0) return 'Nobody else'
  const players = counted(others, 'other player')
  return isAtLeast ? `At least ${players}` : players
}

function formatOthersLoss({ others, amount, value }: RugStakes, symbol: string): string {
  if (others === 0) return 'Nobody else loses anything'
  const worth = `${formatSol(value)} SOL (${formatUsdHint(value)})`
  return `Their ${formatTokens(amount)} ${symbol} become worth 0. At the current price they are worth ${worth}`
}
