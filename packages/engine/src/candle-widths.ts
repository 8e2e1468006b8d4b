/** Widths of the stored candles in seconds: minute, hour and day. Readers merge them into other widths. */
export const CANDLE_WIDTHS = [60, 3_600, 86_400] as const
export type CandleWidth = (typeof CANDLE_WIDTHS)[number]
