import { formatGain, getSign } from '@papermoon/format'

interface NotCountedProps {
  /** Amounts in SOL, positive or negative, and their sources, such as `rug pulls`. */
  readonly parts: readonly { readonly sol: string; readonly from: string }[]
  readonly why: string
}

/** Lists the amounts that a value does not include, and the reason. Renders nothing if all amounts are zero. */
export function NotCounted({ parts, why }: NotCountedProps) {
  const left = parts.filter(({ sol }) => getSign(sol) !== 0)
  if (left.length === 0) return null
  const sums = left.map(({ sol, from }) => `${formatGain(sol)} SOL from ${from}`)
  const last = sums.pop()
  return (
    <p className="mt-xs small">
      Not counted: {sums.length > 0 && `${sums.join(', ')} and `}
      {last}. {why}
    </p>
  )
}
