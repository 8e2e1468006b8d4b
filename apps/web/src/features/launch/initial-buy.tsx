import {
  AmmError,
  type BuyQuote,
  LAUNCH_FEE,
  launchPool,
  parseSol,
  quoteBuy,
  SOL_DECIMALS,
  solText,
  tokensText,
} from '@papermoon/amm'
import { AmountField } from '../../components/amount-field.tsx'
import { useCurrentUser } from '../../lib/current-user.ts'
import { formatSol, formatTokens, formatUsdHint } from '../../lib/format.ts'

interface InitialBuyProps {
  readonly value: string
  readonly onAmount: (amount: string) => void
}

/** The creator's own first buy, in the launch itself: nobody can be before it. */
export function InitialBuy({ value, onAmount }: InitialBuyProps) {
  const user = useCurrentUser()
  return (
    <AmountField
      label="Initial Buy (optional, SOL)"
      placeholder="0"
      decimals={SOL_DECIMALS}
      step="0.1"
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
  const quote = quoteOf(value)
  if (quote === null) return `The launch itself costs ${fee} SOL.`
  if (quote instanceof AmmError) return quote.message
  const total = solText(quote.solIn.add(LAUNCH_FEE))
  return `Buys ${formatTokens(tokensText(quote.tokensOut))} tokens. With the launch fee: ${total} SOL (${formatUsdHint(total)}).`
}

function quoteOf(value: string): BuyQuote | AmmError | null {
  if (/^[0.]*$/.test(value)) return null
  try {
    return quoteBuy(launchPool(), parseSol(value))
  } catch (error) {
    if (error instanceof AmmError) return error
    throw error
  }
}
