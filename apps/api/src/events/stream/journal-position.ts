/**
 * A place in the journal of the whole market. Every event at or below it is committed: `entry` counts trades and rug pulls,
 * which share a sequence, and `tokenId` launches.
 */
export interface JournalPosition {
  readonly entry: number
  readonly tokenId: number
}

/** Whether events after `position` are at or below `end`. */
export function isBehind(position: JournalPosition, end: JournalPosition): boolean {
  return position.entry < end.entry || position.tokenId < end.tokenId
}
