/** Pauses between attempts: doubled from `firstMs` up to `maxMs`, then shortened at random by up to half. */
export interface Backoff {
  readonly firstMs: number
  readonly maxMs: number
}

/** For a server that is away. */
export const SERVER_BACKOFF: Backoff = { firstMs: 250, maxMs: 30_000 }
/** For a bot that broke. */
export const BOT_BACKOFF: Backoff = { firstMs: 1_000, maxMs: 300_000 }

/**
 * Milliseconds to wait before `attempt` (0, 1, 2, …). `random` is in [0, 1): the jitter keeps clients that lost the same
 * server from returning in the same moment.
 */
export function toPauseMs({ firstMs, maxMs }: Backoff, attempt: number, random: number): number {
  const longest = Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30))
  return longest * (1 - random / 2)
}
