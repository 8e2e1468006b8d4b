import { randomBytes } from 'node:crypto'
import { createTestDatabase } from '@papermoon/db/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { createSecretBox } from '../../src/security/secret-box.ts'

const secret = Buffer.from('a TOTP secret of 20.')

const database = await createTestDatabase()
afterAll(() => database.drop())

const createBox = (...keys: Buffer[]) => createSecretBox({ db: database.db, keys })

describe('a secret box', () => {
  it('returns a secret for its own purpose and no other', async () => {
    const box = createBox()
    const sealed = await box.seal(secret, 'totp:1')
    expect(await box.open(sealed, 'totp:1')).toEqual(secret)
    expect(await box.open(sealed, 'totp:2')).toBeNull()
    expect(await box.open(sealed, 'other:1')).toBeNull()
  })

  it('never shows the secret, and seals it differently each time', async () => {
    const box = createBox()
    const [one, other] = [await box.seal(secret, 'totp:1'), await box.seal(secret, 'totp:1')]
    expect(one).not.toEqual(other)
    expect(one.includes(secret.subarray(0, 4))).toBe(false)
  })

  it('opens nothing that was changed or truncated', async () => {
    const box = createBox(randomBytes(32))
    const sealed = await box.seal(secret, 'totp:1')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8((changed[at] ?? 0) ^ 1, at)
      expect([at, await box.open(changed, 'totp:1')]).toEqual([at, null])
      expect(await box.open(sealed.subarray(0, at), 'totp:1')).toBeNull()
    }
  })

  it('shares the database’s key among nodes that start at the same time', async () => {
    const boxes = Array.from({ length: 5 }, () => createBox())
    const sealed = await Promise.all(boxes.map((box) => box.seal(secret, 'totp:1')))
    for (const box of boxes) for (const text of sealed) expect(await box.open(text, 'totp:1')).toEqual(secret)
  })

  it('opens secrets sealed before a key was set, and reports them as outdated', async () => {
    const key = randomBytes(32)
    const sealed = await createBox().seal(secret, 'totp:1')
    const keyed = createBox(key)
    expect(await keyed.open(sealed, 'totp:1')).toEqual(secret)
    expect(await keyed.isOutdated(sealed)).toBe(true)
    const resealed = await keyed.seal(secret, 'totp:1')
    expect(await keyed.isOutdated(resealed)).toBe(false)
    expect(await createBox().open(resealed, 'totp:1')).toBeNull()
  })

  it('opens secrets with an old key, and seals with the new one', async () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)]
    const sealed = await createBox(old).seal(secret, 'totp:1')
    expect(await createBox(fresh, old).open(sealed, 'totp:1')).toEqual(secret)
    expect(await createBox(fresh, old).isOutdated(sealed)).toBe(true)
    expect(await createBox(fresh).open(sealed, 'totp:1')).toBeNull()
  })
})
