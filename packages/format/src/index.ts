// What the list of tokens shows, which every visitor loads first, and the rest.

export { formatGain, formatName, formatPrice, formatShare, formatUsdHint, formatWhole, priceLabel } from './gains.ts'
export {
  formatChange,
  formatCount,
  formatCountShort,
  formatMarketCap,
  formatSol,
  formatTokens,
  formatTokensShort,
  getSign,
  NO_FIGURE,
  type PriceParts,
  priceParts,
} from './prices.ts'
