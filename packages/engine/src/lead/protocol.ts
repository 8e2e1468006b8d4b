import type { SecureVersion } from 'node:tls'
import type { UserId } from '../ids.ts'
import type { MarketEvent } from '../market-events.ts'
import type { Order } from '../orders.ts'
import type { EncodedAnswer, EncodedOrder } from './order-codec.ts'

/** Changes with the meaning of any message. Nodes of different versions do not forward to each other. */
export const PROTOCOL = 'papermoon-orders-2'

/**
 * TLS with a pre-shared key: both sides prove that they have it, and all bytes are encrypted. TLS 1.3 is not possible: Node takes
 * such keys only up to 1.2.
 */
export const TLS_OPTIONS = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305:PSK-AES256-GCM-SHA384',
  minVersion: 'TLSv1.2' as SecureVersion,
  maxVersion: 'TLSv1.2' as SecureVersion,
}

/** A follower to the leader. `echo` is the `t` of the last heartbeat. */
export interface FollowerMessage {
  readonly echo: number
  readonly orders?: readonly (readonly [id: number, isFresh: boolean, order: EncodedOrder])[]
  /** Whether the leader has an order under way. */
  readonly question?: readonly [id: number, userId: UserId, requestKey: string]
}

/** The leader to a follower. */
export type LeaderMessage =
  /** A heartbeat: the leader's clock in ms, and whether it takes orders. */
  | { readonly t: number; readonly isLeading: boolean }
  | { readonly events: readonly MarketEvent[] }
  | { readonly answers: readonly EncodedAnswer[] }
  /** To a question: the kind of the order; null if none is under way. */
  | { readonly pending: readonly [id: number, kind: Order['kind'] | null] }

export const HEARTBEAT_MS = 250
/** A link without a heartbeat for this long is given up. */
export const SILENCE_MAX_MS = 1_000
/**
 * The leader begins an order at most this long after the heartbeat that its sender had received last, so at most this long after
 * it was sent.
 */
export const VALID_MS = 1_500
/**
 * After this long since an order was sent, its statement on the leader has ended or holds the rows, so that a refusal by another
 * engine is final: `VALID_MS`, and what a statement waits for locks.
 */
export const FINAL_MS = VALID_MS + 1_000
/** The leader answers a question at once, so a later answer means that it or the link is stuck. */
export const QUESTION_MAX_MS = 1_000
/** Max questions under way on one link. */
export const QUESTIONS_MAX = 256
/** Max orders under way on one link. */
export const UNDER_WAY_MAX = 4_096
/** Max bytes of one frame: 4,096 launches with the longest texts, or the events of many batches. */
export const FRAME_BYTES_MAX = 32 * 1_048_576
/** A link with more bytes that the other side has not taken is given up. */
export const UNSENT_BYTES_MAX = 16 * 1_048_576
