import { createECDH, hash } from 'node:crypto'
import type { AppPart } from '../../../context.ts'
import { loadServerKey } from '../../../security/server-key.ts'

/** Keys by which push services recognize this server, in base64url. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** Loads or creates the keys that all nodes on a database share. */
export async function loadVapidKeys({ platform: { db } }: AppPart<'db'>): Promise<VapidKeys> {
  return toVapidKeys(await loadServerKey(db, 'push messages'))
}

/**
 * Converts a secret to a key pair. Nearly all numbers of 32 bytes are private keys of P-256. One in four billion is too
 * large, so its hash is used.
 */
function toVapidKeys(secret: Buffer): VapidKeys {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(secret)
  } catch {
    return toVapidKeys(hash('sha256', secret, 'buffer'))
  }
  return { publicKey: pair.getPublicKey('base64url'), privateKey: secret.toString('base64url') }
}
