type Kinds =
  | { readonly kind: 'launch'; readonly name: string; readonly symbol: string; readonly sol: bigint }
  | { readonly kind: 'buy'; readonly tokenId: number; readonly sol: bigint; readonly minimum: bigint | null }
  | { readonly kind: 'sell'; readonly tokenId: number; readonly tokens: bigint; readonly minimum: bigint | null }
  | { readonly kind: 'rug'; readonly tokenId: number }
  | { readonly kind: 'reset' }

/** A player's order in lamports and micros; `key` is the idempotency key, null for none. */
export type PlainOrder = Kinds & { readonly userId: number; readonly key: string | null }
export type OrderOf<Kind extends Kinds['kind']> = Extract<PlainOrder, { readonly kind: Kind }>

/** The market's answer: a result, or a refusal with status and sentence. */
export type PlainAnswer =
  | { readonly ok: true; readonly body: Record<string, unknown> }
  | { readonly ok: false; readonly status: number; readonly sentence: string }

/** Equal for repeats of an order. Key and minimum output are not part of it. */
export function toFingerprint(order: PlainOrder): string {
  const { kind } = order
  if (kind === 'launch') return `${kind} ${order.name} ${order.symbol} ${order.sol}`
  if (kind === 'buy') return `${kind} ${order.tokenId} ${order.sol}`
  if (kind === 'sell') return `${kind} ${order.tokenId} ${order.tokens}`
  return kind === 'rug' ? `${kind} ${order.tokenId}` : kind
}
