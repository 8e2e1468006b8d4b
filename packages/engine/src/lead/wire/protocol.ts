import { VERSION } from './frames.ts'

/** Names the layout and meaning of all messages. Nodes of builds that differ in it run their orders themselves. */
export const PROTOCOL = `papermoon-orders-${VERSION}`

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
