export { CREATED_MAX, findCreatedTokens } from './created-tokens.ts'
export { findRealizedProfit } from './dashboard.ts'
export { findHoldings, sumHoldings, toPool, toPoolState, toShownHolding } from './holdings.ts'
export { CASH_OUT, findNetWorth, type NetWorth, stakedTokens } from './net-worth.ts'
