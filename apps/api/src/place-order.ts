import type { MarketEvent, Order, ReceiptByKind, UserId } from '@papermoon/engine'
import type { Context } from './context.ts'
import { AccountSuspendedError } from './features/account/account-status.ts'
import { addFairTerms } from './features/fairs/fair-account.ts'

/** Terms that a call adds to all of its orders. */
export interface OrderTerms {
  readonly userId: UserId
  /** Whether the player is a bot. Events contain this value. */
  readonly isBot: boolean
  /** The API key whose spending limit applies to buys and launches. Null if there is no limit. */
  readonly spendingKeyId: number | null
  /** Id of the call's API key. Null if the call has no key. */
  readonly keyId: number | null
  /** Whether the player is suspended. A suspended player can only sell and repeat earlier orders. */
  readonly isSuspended: boolean
}

/** Result of an order or a dry run. */
export interface Placed<Receipt> {
  readonly receipt: Receipt
  /** Events that the dry run would publish if it were real. */
  readonly events: readonly MarketEvent[]
  /** The response fields that mark a repeat or a dry run. */
  readonly marks: { readonly isReplayed?: true; readonly dryRun?: true }
}

/** Submits an order, or only checks it for a dry run. Throws AccountSuspendedError and the engine's `DomainError`s. */
export async function placeOrder<O extends Order>(
  ctx: Context & OrderTerms,
  order: O,
  isDryRun: boolean,
  /** The fair in which to launch a token. */
  fairId?: number,
): Promise<Placed<ReceiptByKind[O['kind']]>> {
  const { app, reportPosition } = ctx
  const plain = addTerms(ctx, order)
  // Inside the fairs' own app, `market.fairs` is undefined.
  const isInFair = app.market.fairs === undefined
  const termed = isInFair ? await addFairTerms(app, { order: plain, fairId, isProgram: ctx.apiKey !== null }) : plain
  if (isDryRun) {
    const { receipt, events } = await app.market.engine.dryRun(termed)
    return { receipt, events, marks: { ...toMarks(receipt), dryRun: true } }
  }
  const receipt = await app.market.engine.submit(termed)
  reportPosition?.()
  return { receipt, events: [], marks: toMarks(receipt) }
}

function toMarks({ isRepeat }: { readonly isRepeat?: true }) {
  return isRepeat ? { isReplayed: isRepeat } : {}
}

function addTerms<O extends Order>({ isBot, isSuspended, spendingKeyId, span }: Context & OrderTerms, order: O): O {
  const isCounted = spendingKeyId !== null && spends(order)
  const isPlain = !isBot && !isSuspended && !isCounted && span == null
  if (isPlain) return order
  return {
    ...order,
    isBot,
    ...(isCounted && { spendingKeyId }),
    ...(isSuspended && { refusal: refuseNewOrder(order) }),
    ...(span != null && { trace: span }),
  }
}

function spends(order: Order): boolean {
  return order.kind === 'buy' || order.kind === 'launch' || (order.kind === 'place' && order.terms.kind === 'buy')
}

/**
 * Returns the error for a new order, which does not apply to a repeat. Throws the error if the order cannot be a
 * repeat.
 */
function refuseNewOrder(order: Order): AccountSuspendedError | undefined {
  const { kind, requestKey } = order
  if (kind === 'sell' || kind === 'cancel' || (kind === 'place' && !spends(order))) return undefined
  if (requestKey === undefined) throw new AccountSuspendedError()
  return new AccountSuspendedError()
}
