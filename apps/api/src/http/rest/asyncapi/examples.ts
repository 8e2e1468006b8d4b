import {
  BUY_EVENT,
  FAIR_EVENT,
  LAUNCH_EVENT,
  RUG_EVENT,
  RUGGED_AT,
  SEAL_EVENT,
  TOKEN_NAMES,
} from '@papermoon/contract/example-market'
import type { streamMessages } from '@papermoon/contract/live'
import { EXAMPLE_POST } from '@papermoon/contract/talk'
import { EXAMPLE_WAITING } from '@papermoon/contract/waiting-orders'
import type { z } from 'zod'

const CURSOR = 'MS4zZjlhMDdjMi41NTMucA'

type Examples = { readonly [Name in keyof typeof streamMessages]: z.input<(typeof streamMessages)[Name]> }

/** An example for every message. */
export const streamExamples: Examples = {
  launch: { ...LAUNCH_EVENT, cursor: CURSOR },
  trade: { ...BUY_EVENT, ...TOKEN_NAMES, cursor: CURSOR },
  rug: { ...RUG_EVENT, ...TOKEN_NAMES, cursor: CURSOR },
  seal: { ...SEAL_EVENT, ...TOKEN_NAMES, cursor: CURSOR },
  fair: { ...FAIR_EVENT, podium: [...FAIR_EVENT.podium], cursor: CURSOR },
  post: {
    type: 'post',
    tokenId: 7,
    kind: 'shown',
    post: EXAMPLE_POST,
    createdAt: EXAMPLE_POST.createdAt,
    ...TOKEN_NAMES,
    cursor: CURSOR,
  },
  order: {
    type: 'order',
    tokenId: 7,
    version: 412,
    fill: null,
    order: EXAMPLE_WAITING,
    ...TOKEN_NAMES,
    cursor: CURSOR,
  },
  gap: {
    type: 'gap',
    reason: 'expired',
    since: '2026-02-27T09:30:00.000Z',
    until: RUGGED_AT,
    cursor: CURSOR,
  },
  live: { type: 'live', at: RUGGED_AT, cursor: CURSOR },
}
