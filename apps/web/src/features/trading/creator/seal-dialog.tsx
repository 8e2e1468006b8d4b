import { formatTokens } from '@papermoon/format'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/form/button.tsx'
import { SealChoice } from '../../../components/form/seal-choice.tsx'
import { Dialog } from '../../../components/layout/dialog.tsx'
import { cache, client, type Token, type TokenId } from '../../../lib/api/api.ts'
import { type Keyed, useOrder } from '../../../lib/api/use-order.ts'
import { useAskForLogin } from '../../../lib/hooks/use-ask-for-login.ts'
import { formatSealEnd, longerTerms, type SealTerm, sealEndOf, useUntil } from '../../../lib/market/own-seal.ts'
import { showToast } from '../../../lib/ui/toasts.ts'

interface SealDialogProps {
  readonly token: Token
  readonly onClose: () => void
}

export function SealDialog({ token, onClose }: SealDialogProps) {
  const { symbol, seal, creatorHolding } = token
  const until = useUntil(seal?.liquidityUntil ?? null)
  // Keep the options from when the dialog opened, because an option must not change while the player selects it.
  const [openedAt] = useState(Date.now)
  const terms = longerTerms(seal, creatorHolding, openedAt)
  const [picked, setPicked] = useState<SealTerm>('day')
  const term = terms.find(({ value }) => value === picked) ?? terms[0]
  // The only way to extend a permanent seal is to include the creator's holding.
  const [takesBag, setTakesBag] = useState(terms.length === 1)
  const { isBusy, send } = useSeal(token, onClose)
  const bag = takesBag && creatorHolding !== '0'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (term !== undefined) send({ id: token.id, term: term.value, bag })
  }
  const end = term === undefined ? '' : formatSealEnd(sealEndOf(term.value, openedAt))
  return (
    <Dialog title={until === null ? `Seal ${symbol}` : `Extend ${symbol}’s seal`} isBusy={isBusy} onClose={onClose}>
      <form className="p-xs-s stack gap-l fit" aria-busy={isBusy} onSubmit={submit}>
        {until !== null && <p className="semibold breaks">Sealed {formatSealEnd(until)}.</p>}
        <SealChoice
          label="Duration from now"
          terms={terms}
          term={term?.value ?? picked}
          onTerm={setPicked}
          bagText={creatorHolding === '0' ? null : `Also seal my own tokens: ${formatTokens(creatorHolding)} ${symbol}`}
          isBagSealed={bag}
          onBag={setTakesBag}
        >
          {bag
            ? `You cannot pull the rug or sell the tokens that you hold now ${end}. You can sell tokens that you buy later.`
            : `You cannot pull the rug ${end}.`}{' '}
          The price can still fall, because others can sell.
        </SealChoice>
        <p className="semibold breaks">You can make a seal longer at any time, but never shorter.</p>
        <div className="answers">
          <Button look="quiet" disabled={isBusy} onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" disabled={isBusy || term === undefined}>
            {isBusy ? 'Sealing...' : term?.value === 'ever' ? 'Seal for ever' : `Seal for ${term?.label}`}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface Wish {
  readonly id: TokenId
  readonly term: SealTerm
  readonly bag: boolean
}

const FAILURE = {
  title: 'Could not seal the token',
  unknown: 'We don’t know whether the token was sealed. Press again to check. The token is never sealed twice.',
}

/** Seals a token. Shows toasts for the outcome. */
function useSeal({ id, symbol }: Token, onDone: () => void) {
  const askForLogin = useAskForLogin('trade tokens')
  return useOrder({
    call: (wish: Keyed<Wish>, options) => client.trading.seal.mutate(wish, options),
    onAnswer: ({ seal }) => {
      cache.tokens.get.setData({ id }, (token) => token && { ...token, seal })
      showToast({ title: 'Sealed!', message: `${symbol} is sealed ${formatSealEnd(seal.liquidityUntil ?? '')}` })
      onDone()
    },
    failure: () => FAILURE,
    askForLogin: () => askForLogin(),
  })
}
