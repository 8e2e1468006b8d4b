const FINAL_TEXT = 0x81
/** Payload lengths below SHORT take one byte of the header, below MEDIUM two more, others eight more. */
const SHORT = 126
const MEDIUM = 65_536
const LENGTH_16 = 126
const LENGTH_64 = 127

/** Text messages as WebSocket frames (RFC 6455, 5.2: final, unmasked, uncompressed), for any number of sockets. */
export function toTextFrames(texts: readonly string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => {
      const payload = Buffer.from(text)
      return [makeHeader(payload.length), payload]
    }),
  )
}

function makeHeader(length: number): Buffer {
  if (length < SHORT) return Buffer.of(FINAL_TEXT, length)
  if (length < MEDIUM) return Buffer.of(FINAL_TEXT, LENGTH_16, length >> 8, length & 0xff)
  const head = Buffer.alloc(10)
  head.set([FINAL_TEXT, LENGTH_64])
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}
