const FINAL_TEXT = 0x81
/** Payloads shorter than these say so in one byte, or in two more; others in eight more. */
const SHORT = 126
const MEDIUM = 65_536
const LENGTH_16 = 126
const LENGTH_64 = 127

/** Text messages as frames that are ready to be written to a socket. */
export class TextFrames {
  readonly bytes: Buffer

  /**
   * Frames as a server sends them (RFC 6455, 5.2), one for each text: final, unmasked, not compressed. They are the same for every
   * socket, so they are made once and written to each in one piece.
   */
  constructor(texts: readonly string[]) {
    this.bytes = Buffer.concat(
      texts.flatMap((text) => {
        const payload = Buffer.from(text)
        return [makeHeader(payload.length), payload]
      }),
    )
  }
}

function makeHeader(length: number): Buffer {
  if (length < SHORT) return Buffer.of(FINAL_TEXT, length)
  if (length < MEDIUM) return Buffer.of(FINAL_TEXT, LENGTH_16, length >> 8, length & 0xff)
  const head = Buffer.alloc(10)
  head.set([FINAL_TEXT, LENGTH_64])
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}
