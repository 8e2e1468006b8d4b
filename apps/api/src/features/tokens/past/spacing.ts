/** Trades between two checkpoints of a token with few holders. */
export const SPACING = 1_024
/** A checkpoint of many holders is followed by the next after as many trades as a sixteenth of them, which bounds the storage per trade. */
const HOLDERS_PER_TRADE = 16

/** The number of the checkpoint after one: `spacing` or a multiple of it later. */
export function nextCheckpoint(
  { seq, holders }: { readonly seq: number; readonly holders: number },
  spacing: number,
): number {
  return seq + spacing * Math.max(1, Math.ceil(holders / (HOLDERS_PER_TRADE * spacing)))
}
