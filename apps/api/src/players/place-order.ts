import type { MarketEvent, Order, OrderEntry, ReceiptByKind } from '@papermoon/engine'

/** Result of an order or of a dry run. */
export interface Placed<Receipt> {
  readonly receipt: Receipt
  /** Events that a dry run would publish. */
  readonly events: readonly MarketEvent[]
  /** The fields of the answer that say what it is. */
  readonly marks: { readonly isReplayed?: true; readonly dryRun?: true }
}

/** Submits an order, or only checks it. Throws the engine's `DomainError`s. */
export async function placeOrder<O extends Order>(
  engine: OrderEntry,
  order: O,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<Placed<ReceiptByKind[O['kind']]>> {
  const { receipt, events } = isDryRun
    ? await engine.dryRun(order)
    : { receipt: await engine.submit(order), events: [] }
  const { isRepeat } = receipt
  return { receipt, events, marks: { ...(isRepeat && { isReplayed: isRepeat }), ...(isDryRun && { dryRun: true }) } }
}
