import type { z } from 'zod'
import type { streamMessages } from '../../../features/live/schemas.ts'
import { buyEvent, launchEvent, RUGGED_AT, rugEvent, TOKEN_NAMES } from '../example-market.ts'

const CURSOR = 'MS4zZjlhMDdjMi41NTMucA'

type Examples = { readonly [Name in keyof typeof streamMessages]: z.input<(typeof streamMessages)[Name]> }

/** An example of every message. */
export const streamExamples: Examples = {
  launch: { ...launchEvent, cursor: CURSOR },
  trade: { ...buyEvent, ...TOKEN_NAMES, cursor: CURSOR },
  rug: { ...rugEvent, ...TOKEN_NAMES, cursor: CURSOR },
  gap: {
    type: 'gap',
    reason: 'expired',
    since: '2026-02-27T09:30:00.000Z',
    until: RUGGED_AT,
    cursor: CURSOR,
  },
  live: { type: 'live', at: RUGGED_AT, cursor: CURSOR },
}
