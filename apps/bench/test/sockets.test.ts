import { describe, expect, it } from 'vitest'
import { timeIn, timeSpan } from '../src/fanout/event-times.ts'
import { openFilesMax } from '../src/fanout/open-files.ts'
import { CLOSE, clientFrame, FrameReader, PING, TEXT } from '../src/sockets/frames.ts'

/** Encodes a server's frame, which is not masked. */
function serverFrame(opcode: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10)
  head[0] = 0x80 | opcode
  head[1] = payload.length < 126 ? payload.length : payload.length < 65_536 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(payload.length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, payload])
}

describe('a frame reader', () => {
  const cases = [
    { lengths: [0, 1, 125, 126, 300], pieceBytes: 1 },
    { lengths: [0, 1, 125, 126, 300], pieceBytes: 7 },
    { lengths: [65_535, 3, 65_536], pieceBytes: 16_384 },
    { lengths: [65_535, 3, 65_536], pieceBytes: 1_000_000 },
  ]
  for (const { lengths, pieceBytes } of cases) {
    it(`finds frames of ${lengths.join(', ')} bytes in pieces of ${pieceBytes}`, () => {
      const sent = Buffer.concat([
        ...lengths.map((length) => serverFrame(TEXT, Buffer.alloc(length, 'x'))),
        serverFrame(PING, Buffer.from('p')),
        serverFrame(CLOSE, Buffer.from([3, 232])),
      ])
      const reader = new FrameReader()
      const found: [number, number][] = []
      for (let at = 0; at < sent.length; at += pieceBytes) {
        reader.push(sent.subarray(at, at + pieceBytes), (opcode, { length }) => found.push([opcode, length]))
      }
      expect(found).toEqual([...lengths.map((length) => [TEXT, length]), [PING, 1], [CLOSE, 2]])
    })
  }
})

describe('a client’s frame', () => {
  it('is masked with zeros, so the payload stays the same', () => {
    const frame = clientFrame(TEXT, 'hello')
    expect(frame[1]).toBe(0x80 | 5)
    expect(frame.subarray(2, 6)).toEqual(Buffer.alloc(4))
    expect(frame.toString('utf8', 6)).toBe('hello')
  })

  it('is refused if it is too long', () => {
    expect(() => clientFrame(TEXT, 'x'.repeat(65_536))).toThrow(RangeError)
  })
})

describe('the time of an event', () => {
  const message = Buffer.from('{"type":"trade","trade":{"createdAt":"2026-01-08T00:00:01.500Z","id":1}}')

  it('is read from its message', () => {
    expect(timeIn(message)).toBe(Date.parse('2026-01-08T00:00:01.500Z'))
  })

  it('can be replaced within a message', () => {
    const { from, until } = timeSpan(message)
    expect(message.toString('utf8', from, until)).toBe('2026-01-08T00:00:01.500Z')
  })

  it('is an error if missing', () => {
    expect(() => timeIn(Buffer.from('{"type":"hello"}'))).toThrow('without a time')
  })
})

describe('the limit of sockets', () => {
  it('is the hard limit of open files', () => {
    const limits = [
      'Limit    Soft Limit  Hard Limit  Units',
      'Max open files            1024                 20000                files     ',
    ]
    expect(openFilesMax(limits.join('\n'))).toBe(20_000)
  })

  it('is infinite without a stated limit', () => {
    expect(openFilesMax('')).toBe(Number.POSITIVE_INFINITY)
    expect(openFilesMax('Max open files            unlimited            unlimited            files')).toBe(
      Number.POSITIVE_INFINITY,
    )
  })
})
