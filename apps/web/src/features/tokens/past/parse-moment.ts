/**
 * Parses `?at=1234`, a token's sequence number; undefined for anything else. The key is always present: the router merges
 * the result over the raw parameters, so a missing key would keep its raw value.
 */
export function parseMoment({ at }: Record<string, unknown>): { at?: number | undefined } {
  const text = String(at)
  if (!/^(0|[1-9]\d{0,15})$/.test(text)) return { at: undefined }
  const seq = Number(text)
  return { at: Number.isSafeInteger(seq) ? seq : undefined }
}
