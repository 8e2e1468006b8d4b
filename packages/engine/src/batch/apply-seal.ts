import { assertOpen, type Tokens, tokensText } from '@papermoon/amm'
import type { Seal, SealEvent } from '@papermoon/contract/market-events'
import { formatTime } from '../clock.ts'
import { FOREVER_MS, NotTheCreatorError, SealTooShortError } from '../errors.ts'
import { sealHash } from '../events/journal.ts'
import type { PendingOrder } from '../order-queue.ts'
import type { SealOrder, SealReceipt, SealRequest, SealTerm } from '../orders.ts'
import { withMarketRules } from './apply-trade.ts'
import { type BatchRun, recordSeal, type SealEntry } from './changes.ts'
import { type Account, NO_SEAL, type SealState, type TokenPool } from './market.ts'

const HOUR_MS = 3_600_000
const TERMS_MS: Record<SealTerm, number> = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  ever: Number.POSITIVE_INFINITY,
}

/**
 * Seals a token for its creator, or extends its seal. Throws `NotTheCreatorError`, `SealTooShortError`, or a
 * `MarketRuleError` (`TOKEN_CLOSED`) if the pool is closed.
 */
export function applySeal(
  run: BatchRun,
  { pool, account }: { pool: TokenPool; account: Account },
  { requestKey }: PendingOrder,
  order: SealOrder,
): SealReceipt {
  if (pool.creatorId !== account.userId) throw new NotTheCreatorError('seal')
  withMarketRules(() => assertOpen(pool.pool))
  const held = run.market.position(pool.tokenId, account.userId).amount
  const { term, bag } = order
  return sealToken(run, { pool, account, held }, { request: { term, bag }, requestKey, isBot: order.isBot === true })
}

/** Records a seal that starts now. Throws `SealTooShortError`. */
export function sealToken(
  run: BatchRun,
  { pool, account, held }: { pool: TokenPool; account: Account; held: Tokens },
  { request, requestKey, isBot }: { request: SealRequest; requestKey: string | null; isBot: boolean },
): SealReceipt {
  const { tokenId, seq, seal: before } = pool
  const atMs = Math.max(run.nowMs, pool.lastEventAtMs)
  const after = computeSeal(before, { request, held, atMs })
  const isLonger = before.untilMs !== null && atMs < before.untilMs
  const event: SealEvent = {
    type: 'seal',
    tokenId,
    kind: isLonger ? 'renewed' : 'sealed',
    number: after.number,
    seq,
    userId: account.userId,
    username: account.username,
    isBot,
    seal: toSeal(after),
    createdAt: formatTime(atMs),
  }
  const hash = sealHash(before.head, event)
  const entry: SealEntry = { kind: 'seal', position: 0, event, request, hash, requestKey }
  recordSeal(run, { ...pool, seal: { ...after, head: hash } }, entry)
  return { tokenId, seal: event.seal }
}

/**
 * Computes the new seal, without its hash. If the order includes the creator's tokens, the seal covers all tokens that
 * the creator holds. Throws `SealTooShortError` if the seal neither gets longer by a tenth of its duration nor covers
 * more tokens. Without this rule, a creator could create an endless number of rows and events.
 */
function computeSeal(
  before: SealState,
  { request, held, atMs }: { request: SealRequest; held: Tokens; atMs: number },
): SealState {
  const untilMs = Math.min(atMs + TERMS_MS[request.term], FOREVER_MS)
  const includesBag = request.bag && held.gt(0)
  const current = before.bagUntilMs !== null && atMs < before.bagUntilMs ? before : NO_SEAL
  const bag = includesBag ? { bagUntilMs: untilMs, bagTokens: held } : current
  if (before.untilMs !== null && atMs < before.untilMs) {
    const isLonger = (sinceMs: number) =>
      untilMs === FOREVER_MS ? sinceMs < FOREVER_MS : untilMs - sinceMs >= TERMS_MS[request.term] / 10
    const isBagMore = bag.bagTokens.gt(current.bagTokens) || (includesBag && isLonger(current.bagUntilMs ?? 0))
    if (untilMs < before.untilMs || !(isLonger(before.untilMs) || isBagMore))
      throw new SealTooShortError(before.untilMs)
  }
  const { bagUntilMs, bagTokens } = bag
  return { number: before.number + 1, untilMs, bagUntilMs, bagTokens, head: null }
}

function toSeal({ untilMs, bagUntilMs, bagTokens }: SealState): Seal {
  return {
    liquidityUntil: untilMs === null ? null : formatTime(untilMs),
    bagUntil: bagUntilMs === null ? null : formatTime(bagUntilMs),
    bagTokens: tokensText(bagTokens),
  }
}
