import { type ReactNode, useEffect, useState } from 'react'
import { ButtonLink } from '../../components/form/button.tsx'
import { type TokenId, trpc } from '../../lib/api/api.ts'
import { getReason } from '../../lib/api/failure.ts'
import { forgetIntent, formatExact, readIntent, type TradeIntent } from '../../lib/market/stored-intent.ts'
import classes from './continue-offer.module.css'

/**
 * Offers a player who has just logged in to continue what they began before. Renders nothing if this browser has stored
 * no action. The "Tonight" ticket suggests a new player's first trade.
 */
export function ContinueOffer() {
  const [intent, setIntent] = useState(readIntent)
  const dismiss = () => {
    forgetIntent()
    setIntent(null)
  }
  // Remove an invalid or outdated action, so that the next visit does not read it either.
  useEffect(() => {
    if (intent === null) forgetIntent()
  }, [intent])
  if (intent === null || intent.kind === 'first-trade') return null
  if (intent.kind === 'trade') return <TradeOffer intent={intent} onDismiss={dismiss} />
  return (
    <Offer emoji="🚀" onDismiss={dismiss}>
      <ButtonLink to="/launch" look="quiet" tall className={classes.go} onClick={forgetIntent}>
        {intent.symbol === '' ? 'Continue: launch your token' : `Continue: launch ${intent.symbol}`}
      </ButtonLink>
    </Offer>
  )
}

interface OfferPart {
  readonly onDismiss: () => void
}

/**
 * Offers to continue a trade. Deletes the stored trade if the token is gone or rugged, or if there is nothing to sell.
 */
function TradeOffer({ intent, onDismiss }: OfferPart & { intent: TradeIntent }) {
  const { side, tokenId, amount } = intent
  const { data: token, error } = trpc.tokens.get.useQuery({ id: tokenId })
  const position = trpc.trading.position.useQuery({ tokenId }, { enabled: side === 'sell' })
  const isGone = getReason(error) === 'TOKEN_NOT_FOUND' || (token !== undefined && token.ruggedAt !== null)
  const isOver = isGone || (side === 'sell' && position.data?.amount === '0')
  useEffect(() => {
    if (isOver) forgetIntent()
  }, [isOver])
  if (isOver || token === undefined || (side === 'sell' && position.data === undefined)) return null
  return (
    <Offer emoji={token.emoji} onDismiss={onDismiss}>
      <TokenLink id={tokenId}>
        {side === 'buy'
          ? `Continue: buy ${token.symbol} for ${formatExact(amount)} SOL`
          : `Continue: sell ${formatExact(amount)} ${token.symbol}`}
      </TokenLink>
    </Offer>
  )
}

/** Links to the token's page. The trade panel there contains the amount. */
function TokenLink({ id, children }: { id: TokenId; children: ReactNode }) {
  return (
    <ButtonLink to="/token/$id" params={{ id: String(id) }} look="quiet" tall className={classes.go}>
      <span className="fit py-s tight text-center breaks">{children}</span>
    </ButtonLink>
  )
}

interface OfferProps extends OfferPart {
  readonly emoji: string
  readonly children: ReactNode
}

/** Shows the offer over the bottom of the page, within reach of the thumb, without moving the page's content. */
function Offer({ emoji, onDismiss, children }: OfferProps) {
  return (
    <section className={`row gap-s p-m-l round-m on-raised high-shadow ${classes.offer}`} aria-label="Continue">
      <span className="fixed emoji text-2xl" aria-hidden="true">
        {emoji}
      </span>
      <div className="grow">{children}</div>
      <button
        type="button"
        className={`fixed round-s dim hover-ink touch-high touch-wide ${classes.dismiss}`}
        aria-label="Not now"
        onClick={onDismiss}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
          <path d="M6 6l12 12M18 6L6 18" />
        </svg>
      </button>
    </section>
  )
}
