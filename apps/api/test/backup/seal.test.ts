import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { seal, unseal } from '../../src/features/backup/place/seal.ts'
import { collect, toStream } from './support/bytes.ts'

const CHUNK = 65_536
const HEADER = 56
const STORED_CHUNK = CHUNK + 16
const NAME = 'one/base.tar.zst.sealed'
const key = randomBytes(32)

const sealed = (bytes: Buffer, name = NAME) => collect(toStream(bytes).pipe(seal(key, name)))
const opened = async (bytes: Buffer, { keys = [key], name = NAME } = {}) => {
  const stream = unseal(keys, name)
  toStream(bytes).pipe(stream)
  return await collect(stream)
}

describe('a sealed file', () => {
  it('opens to the same bytes, whatever its length', async () => {
    for (const length of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 7]) {
      const bytes = randomBytes(length)
      expect((await opened(await sealed(bytes))).equals(bytes)).toBe(true)
    }
  })

  it('shows nothing of its content, and differs each time', async () => {
    const bytes = Buffer.alloc(1_000, 'moonlight')
    const [one, other] = [await sealed(bytes), await sealed(bytes)]
    expect(one.includes('moonlight')).toBe(false)
    expect(one.equals(other)).toBe(false)
  })

  it('opens with any key of a list, and says so when it was sealed with another', async () => {
    const bytes = randomBytes(100)
    const [stored, other] = [await sealed(bytes), randomBytes(32)]
    expect((await opened(stored, { keys: [other, key] })).equals(bytes)).toBe(true)
    await expect(opened(stored, { keys: [other] })).rejects.toThrow(
      'The backup was encrypted with another key than BACKUP_KEY.',
    )
    await expect(opened(stored, { keys: [] })).rejects.toThrow('The backup is encrypted: set BACKUP_KEY to its key.')
  })

  it('is refused when it was cut off, between chunks too', async () => {
    const stored = await sealed(randomBytes(3 * CHUNK))
    for (const length of [
      0,
      10,
      HEADER,
      HEADER + 5,
      HEADER + STORED_CHUNK,
      HEADER + 2 * STORED_CHUNK,
      stored.length - 1,
    ]) {
      await expect(opened(stored.subarray(0, length))).rejects.toThrow(/cut off/)
    }
  })

  it('is refused when a byte was changed, a chunk moved, repeated or appended', async () => {
    const stored = await sealed(randomBytes(3 * CHUNK))
    const chunk = (at: number) => stored.subarray(HEADER + at * STORED_CHUNK, HEADER + (at + 1) * STORED_CHUNK)
    const [header, zero, one, two] = [stored.subarray(0, HEADER), chunk(0), chunk(1), chunk(2)]
    const flipped = Buffer.from(stored)
    flipped.writeUInt8(flipped.readUInt8(HEADER + 100) ^ 1, HEADER + 100)
    const salted = Buffer.from(stored)
    salted.writeUInt8(salted.readUInt8(HEADER - 1) ^ 1, HEADER - 1)
    const forged = [
      flipped,
      salted,
      Buffer.concat([header, one, zero, two]),
      Buffer.concat([header, zero, zero, one, two]),
      Buffer.concat([stored, Buffer.alloc(1)]),
    ]
    for (const bytes of forged) await expect(opened(bytes)).rejects.toThrow(/does not match its seal/)
  })

  it('cannot take the place of another file', async () => {
    const stored = await sealed(randomBytes(10), 'one/backup.json.sealed')
    await expect(opened(stored, { name: 'two/backup.json.sealed' })).rejects.toThrow(/does not match its seal/)
  })
})
