import { Readable } from 'node:stream'

export async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** In pieces of this size. */
export function toStream(bytes: Buffer, pieceBytes = 10_000): Readable {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(bytes.subarray(at, at + pieceBytes))
  return Readable.from(pieces, { objectMode: false })
}
