import type { z } from 'zod'
import type { streamMessages } from '../../../features/live/schemas.ts'

const CURSOR = 'MS4zZjlhMDdjMi41NTMucA'
const token = { name: 'Paper Moon', symbol: 'MOON', emoji: '🌕' }

type Examples = { readonly [Name in keyof typeof streamMessages]: z.input<(typeof streamMessages)[Name]> }

/** An example of every message. */
export const streamExamples: Examples = {
  launch: {
    type: 'token_launched',
    tokenId: 25,
    seq: 0,
    ...token,
    creator: { id: 7, username: 'luna', isBot: false },
    createdAt: '2026-03-01T12:00:00.000Z',
    cursor: CURSOR,
  },
  trade: {
    type: 'trade',
    tokenId: 25,
    seq: 1,
    trade: {
      id: 6_663,
      tokenId: 25,
      seq: 1,
      side: 'buy',
      solAmount: '1',
      fee: '0.003',
      tokenAmount: '34506766.704135',
      price: '0.00000002889317',
      spotPrice: '0.000000029892',
      createdAt: '2026-03-01T12:06:00.000Z',
      userId: 8,
      username: 'nova',
      isBot: false,
    },
    pool: { solReserve: '30.997', tokenReserve: '1038493233.295865', realSol: '0.997' },
    currentPrice: '0.000000029892',
    marketCap: '29.892',
    volume: '1',
    holding: '34506766.704135',
    ...token,
    cursor: CURSOR,
  },
  rug: {
    type: 'rug_pull',
    tokenId: 25,
    seq: 2,
    userId: 7,
    username: 'luna',
    isBot: false,
    amount: '0.997',
    createdAt: '2026-03-01T12:07:00.000Z',
    ...token,
    cursor: CURSOR,
  },
  gap: {
    type: 'gap',
    reason: 'expired',
    since: '2026-02-27T09:30:00.000Z',
    until: '2026-03-01T12:08:00.000Z',
    cursor: CURSOR,
  },
}
