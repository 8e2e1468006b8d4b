import { Decimal, percentText } from '@papermoon/amm'
import { formatSol, formatTokens, formatUsdHint } from '@papermoon/format'
import { Change } from '../../../components/figures/change.tsx'
import { type Position, type Token, trpc } from '../../../lib/api/api.ts'
import { computeCashOut } from '../../../lib/market/cash-out.ts'
import { freeAmount, useSealedBag } from '../../../lib/market/own-seal.ts'
import classes from './your-bag.module.css'

interface YourBagProps {
  readonly token: Token
  readonly position: Position | undefined
  readonly userId: number
  /** Whether the token's fair has ended, so that nothing can be sold. */
  readonly isOver: boolean
}

/**
 * Shows the player's holding of the token with its amount, its cost, and the SOL that selling the unsealed part would
 * pay now. If the player rugged the token, shows how much SOL the rug pull paid.
 */
export function YourBag({ token, position, userId, isOver }: YourBagProps) {
  const sealed = useSealedBag(token, userId)
  const isOwnRug = token.ruggedAt !== null && token.creator.id === userId
  const rug = trpc.tokens.rugStory.useQuery({ id: token.id }, { enabled: isOwnRug })
  if (position === undefined || position.amount === '0') return null
  const free = freeAmount(position.amount, sealed)
  const pays = isOwnRug ? (rug.data?.ruggedAmount ?? null) : free === '0' ? null : computeCashOut(token, free)
  const gain = isOwnRug ? pays && gainPercent(pays, position.cost) : computeBagGain(token, position)
  return (
    <dl className={`pairs p-m-l torn-top text-s grid gap-x-m cols-fit-wide ${classes.bag}`} aria-label="Your holding">
      <dt>You hold</dt>
      <dd title={position.amount}>
        {formatTokens(position.amount)} {token.symbol}
      </dd>
      <dt>Cost</dt>
      <dd title={position.cost}>{formatSol(position.cost)} SOL</dd>
      {sealed !== null && (
        <>
          <dt>Sealed</dt>
          <dd title={sealed.tokens}>
            {formatTokens(sealed.tokens)} {token.symbol}
          </dd>
        </>
      )}
      {pays !== null && !isOver && (
        <>
          <dt>
            {isOwnRug
              ? 'SOL from your rug pull'
              : sealed === null
                ? 'Value if sold now'
                : 'Value of the unsealed tokens if sold now'}
          </dt>
          <dd title={pays}>
            {formatSol(pays)} SOL <span className="inline-block dim regular">{formatUsdHint(pays)}</span>
          </dd>
        </>
      )}
      {gain !== null && !isOver && (
        <>
          <dt>Gain</dt>
          <dd>
            <Change percent={gain} />
          </dd>
        </>
      )}
    </dl>
  )
}

/**
 * Returns the gain from selling a whole holding now, in percent. Returns null if there is no holding, or if the pool is
 * older than the holding. The gain includes sealed tokens, as the net worth does.
 */
export function computeBagGain(token: Token, { amount, cost }: Pick<Position, 'amount' | 'cost'>): string | null {
  const cashOut = amount === '0' ? null : computeCashOut(token, amount)
  return cashOut === null ? null : gainPercent(cashOut, cost)
}

function gainPercent(value: string, cost: string): string {
  return percentText(new Decimal(value).sub(cost), new Decimal(cost))
}
