/** Trades with an id in (after, through]. */
export interface TradeRange {
  readonly after: number
  readonly through: number
}
