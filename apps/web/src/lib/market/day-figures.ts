/**
 * Options for queries with 24-hour figures. These change every minute without trades, and a trade's change is relative
 * to the price 24 hours ago, so refetch once a minute while the page is visible.
 */
export const DAY_FIGURES = { refetchInterval: 60_000, refetchIntervalInBackground: false } as const
