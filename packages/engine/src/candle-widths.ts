/** The candle widths that are kept, in seconds: a minute, an hour, a day. Wider ones are merged from these when read. */
export const CANDLE_WIDTHS = [60, 3_600, 86_400] as const
export type CandleWidth = (typeof CANDLE_WIDTHS)[number]
