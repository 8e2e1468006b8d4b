import { createECDH, hash } from 'node:crypto'
import type { AppPart } from '../../../context.ts'
import { loadServerKey } from '../../../security/server-key.ts'

/** By which push services know this server, in base64url. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** Loads or creates the keys that all nodes of a database share. */
export async function loadVapidKeys({ platform: { db } }: AppPart<'db'>): Promise<VapidKeys> {
  return toVapidKeys(await loadServerKey(db, 'push messages'))
}

/** Nearly all numbers of 32 bytes are private keys of P-256; one in four billion is too large, and its hash serves. */
function toVapidKeys(secret: Buffer): VapidKeys {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(secret)
  } catch {
    return toVapidKeys(hash('sha256', secret, 'buffer'))
  }
  return { publicKey: pair.getPublicKey('base64url'), privateKey: secret.toString('base64url') }
}
