/** A position in PostgreSQL's write-ahead log (WAL), in bytes. */
export type Lsn = bigint

/** Parses PostgreSQL's notation, such as `16/B374D848`. Throws for anything else. */
export function parseLsn(text: string): Lsn {
  const [, high, low] = /^([0-9a-f]{1,8})\/([0-9a-f]{1,8})$/i.exec(text) ?? []
  if (high === undefined || low === undefined) throw new Error(`${text} is not a WAL position`)
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export function formatLsn(lsn: Lsn): string {
  const hex = (part: bigint) => part.toString(16).toUpperCase()
  return `${hex(lsn >> 32n)}/${hex(lsn & 0xffff_ffffn)}`
}

/** Name of the WAL file of `segmentBytes` that contains this position: timeline, then the segment's number in two parts. */
export function formatSegmentName(timeline: number, lsn: Lsn, segmentBytes: number): string {
  const perHigh = 0x1_0000_0000n / BigInt(segmentBytes)
  const segment = lsn / BigInt(segmentBytes)
  const hex = (part: bigint) => part.toString(16).toUpperCase().padStart(8, '0')
  return `${hex(BigInt(timeline))}${hex(segment / perHigh)}${hex(segment % perHigh)}`
}

/** The start of the segment that contains this position. */
export function findSegmentStart(lsn: Lsn, segmentBytes: number): Lsn {
  return lsn - (lsn % BigInt(segmentBytes))
}
