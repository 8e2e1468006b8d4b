import { Decimal, percentText, solText } from '@papermoon/amm'
import { cache, type Position, type Token } from '../../../lib/api/api.ts'
import { currentConnection } from '../../../lib/live/socket.ts'
import { computeCashOut } from '../../../lib/market/cash-out.ts'

interface Left {
  readonly amount: string
  readonly currentPrice: string
  readonly pool: Token['pool']
  readonly value: string
  readonly cashOutValue: string
}

/**
 * Writes the remaining holding to the cached lists after a sale. The live event of the sale updates the sums. If the
 * live feed is down or does not contain the token (null), fetches everything again.
 */
export function patchSale(position: Position, token: Token | null): void {
  if (token !== null) patchListed(position, token)
  if (token === null || currentConnection().state !== 'live') void cache.portfolio.invalidate()
}

function patchListed(position: Position, token: Token): void {
  const { tokenId, cost } = position
  const left = computeRemainder(position, token)
  const isSold = (entry: { tokenId: number }) => entry.tokenId === tokenId
  cache.portfolio.get.setData({}, (entries) =>
    entries?.flatMap((entry) => {
      if (!isSold(entry)) return [entry]
      if (left === null) return []
      const { value: totalValue, ...shown } = left
      const profitLoss = new Decimal(shown.cashOutValue).sub(cost)
      const profit = { profitLoss: solText(profitLoss), profitLossPercent: percentText(profitLoss, new Decimal(cost)) }
      return [{ ...entry, ...shown, totalValue, cost, ...profit }]
    }),
  )
  cache.portfolio.dashboard.setData(undefined, (dashboard) => {
    if (dashboard === undefined) return dashboard
    const holdings = dashboard.holdings.flatMap((holding) => {
      if (!isSold(holding)) return [holding]
      if (left === null) return []
      const { value: currentValue, ...shown } = left
      return [{ ...holding, ...shown, currentValue }]
    })
    return { ...dashboard, holdings }
  })
}

function computeRemainder({ amount }: Position, token: Token): Left | null {
  if (new Decimal(amount).isZero()) return null
  const { currentPrice, pool } = token
  const mark = new Decimal(amount).mul(currentPrice).toDecimalPlaces(9, Decimal.ROUND_DOWN)
  return { amount, currentPrice, pool, value: solText(mark), cashOutValue: computeCashOut(token, amount) ?? '0' }
}
