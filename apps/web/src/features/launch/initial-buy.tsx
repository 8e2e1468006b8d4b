import { AmmError, LAUNCH_FEE, SOL_DECIMALS, solText, tokensText } from '@papermoon/amm'
import { AmountField } from '../../components/form/amount-field.tsx'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { formatSol, formatTokens, formatUsdHint } from '../../lib/format/format.ts'
import { exceedsBalance, initialQuote } from './launch-cost.ts'

interface InitialBuyProps {
  readonly value: string
  readonly onAmount: (amount: string) => void
}

/** The optional first buy, executed within the launch, so that nobody can buy earlier. */
export function InitialBuy({ value, onAmount }: InitialBuyProps) {
  const user = useCurrentUser()
  const isShort = user !== null && exceedsBalance(value, user.solBalance)
  return (
    <AmountField
      label="Initial Buy (optional, SOL)"
      placeholder="0"
      decimals={SOL_DECIMALS}
      step="0.1"
      aria-invalid={isShort || undefined}
      value={value}
      onAmount={onAmount}
      inputWrapperOrder={['label', 'input', 'description']}
      descriptionProps={{ role: 'status' }}
      description={`${whatItBuys(value)}${user === null ? '' : ` You have ${formatSol(user.solBalance, 2)} SOL.`}`}
    />
  )
}

function whatItBuys(value: string): string {
  const fee = solText(LAUNCH_FEE)
  const quote = initialQuote(value)
  if (quote === null) return `The launch itself costs ${fee} SOL.`
  if (quote instanceof AmmError) return quote.message
  const total = solText(quote.solIn.add(LAUNCH_FEE))
  return `Buys ${formatTokens(tokensText(quote.tokensOut))} tokens. With the launch fee: ${total} SOL (${formatUsdHint(total)}).`
}
