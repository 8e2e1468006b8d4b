/**
 * For a query whose answer has figures of the last 24 hours: those change by the minute even when nobody trades, and the
 * change that a trade makes is reckoned from the price of 24 hours ago. So it is asked for again once a minute while the
 * page is seen.
 */
export const DAY_FIGURES = { refetchInterval: 60_000, refetchIntervalInBackground: false } as const
