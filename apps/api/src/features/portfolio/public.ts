export { CREATED_MAX, findCreatedTokens } from './created-tokens.ts'
export { findHoldings, sumHoldings, toPool, toPoolState, toShownHolding } from './holdings.ts'
export { CASH_OUT, findNetWorth, type NetWorth, stakedTokens } from './net-worth.ts'
export { findRealizedProfit } from './realized-profit.ts'
