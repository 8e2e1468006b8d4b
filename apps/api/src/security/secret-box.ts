import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { Db } from '@papermoon/db'

const CIPHER = 'aes-256-gcm'

const VERSION = 1

export const KEY_BYTES = 32

const KEY_ID_BYTES = 8

const NONCE_BYTES = 12

const TAG_BYTES = 16

const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES

/** `name` of the row in `server_keys` that contains the key. */
const KEY_NAME = 'secrets'

/**
 * The kind and the owner of a secret, which are authenticated together with it. A secret can be decrypted only with the
 * same purpose.
 */
export type SecretPurpose = `${string}:${number}`

/**
 * Encrypts secrets that the server must be able to read again. Someone who has only the database therefore cannot read
 * them.
 */
export interface SecretBox {
  /** Encrypts a secret with the first key. */
  seal(secret: Buffer, purpose: SecretPurpose): Promise<Buffer>
  /** Decrypts a secret. Returns null if the purpose differs, the data was changed, or the server lacks the key. */
  open(sealed: Buffer, purpose: SecretPurpose): Promise<Buffer | null>
  /** Returns whether `seal` would use another key for this secret now. */
  isOutdated(sealed: Buffer): Promise<boolean>
}

interface SecretBoxParts {
  readonly db: Db
  /**
   * Keys from `SECRETS_KEY`. The first key encrypts, and all keys decrypt. If the list is empty, a key in the database
   * is used.
   */
  readonly keys: readonly Buffer[]
}

interface NamedKey {
  readonly id: Buffer
  readonly key: Buffer
}

/**
 * Creates a secret box. After `SECRETS_KEY` is set, secrets that were encrypted with the database's key remain
 * readable.
 */
export function createSecretBox({ db, keys }: SecretBoxParts): SecretBox {
  const given = keys.map(toNamedKey)
  let own: NamedKey | undefined
  const loadOwn = async () => {
    own ??= toNamedKey(await loadServerKey(db, KEY_NAME))
    return own
  }
  const first = async () => given[0] ?? (await loadOwn())
  const find = async (id: Buffer) => {
    const key = given.find((candidate) => candidate.id.equals(id)) ?? (await loadOwn())
    return key.id.equals(id) ? key : null
  }
  return {
    seal: async (secret, purpose) => encrypt(await first(), secret, purpose),
    open: async (sealed, purpose) => {
      if (sealed.length < HEADER_BYTES || sealed[0] !== VERSION) return null
      const key = await find(readKeyId(sealed))
      return key === null ? null : decrypt(key, sealed, purpose)
    },
    isOutdated: async (sealed) => !readKeyId(sealed).equals((await first()).id),
  }
}

function toNamedKey(secret: Buffer): NamedKey {
  const id = createHash('sha256').update('papermoon key id').update(secret).digest().subarray(0, KEY_ID_BYTES)
  return { id, key: Buffer.from(hkdfSync('sha256', secret, '', 'papermoon secrets', KEY_BYTES)) }
}

function readKeyId(sealed: Buffer): Buffer {
  return sealed.subarray(1, 1 + KEY_ID_BYTES)
}

function encrypt({ id, key }: NamedKey, secret: Buffer, purpose: SecretPurpose): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(purpose))
  const text = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), id, nonce, cipher.getAuthTag(), text])
}

function decrypt({ key }: NamedKey, sealed: Buffer, purpose: SecretPurpose): Buffer | null {
  const nonceAt = 1 + KEY_ID_BYTES
  const nonce = sealed.subarray(nonceAt, nonceAt + NONCE_BYTES)
  const tag = sealed.subarray(nonceAt + NONCE_BYTES, HEADER_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

/**
 * Loads a key by name, or creates it. All nodes on a database share this key. Concurrent callers for one name get the
 * same key.
 */
export async function loadServerKey(db: Db, name: string): Promise<Buffer> {
  await db
    .insertInto('server_keys')
    .values({ name, key: randomBytes(KEY_BYTES) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { key } = await db.selectFrom('server_keys').select('key').where('name', '=', name).executeTakeFirstOrThrow()
  return key
}
