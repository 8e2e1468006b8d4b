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
