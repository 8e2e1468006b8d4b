/** Number of trades between two checkpoints of a token with few holders. */
export const SPACING = 1_024
/**
 * Number of holders per trade between checkpoints. A token with many holders has its next checkpoint after a sixteenth
 * as many trades, which limits the storage per trade.
 */
const HOLDERS_PER_TRADE = 16

/** Returns the number of the next checkpoint: `spacing` or a multiple of it later. */
export function nextCheckpoint(
  { seq, holders }: { readonly seq: number; readonly holders: number },
  spacing: number,
): number {
  return seq + spacing * Math.max(1, Math.ceil(holders / (HOLDERS_PER_TRADE * spacing)))
}
