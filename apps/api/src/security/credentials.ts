import { createHash, randomBytes } from 'node:crypto'

/** Names a session token or an API key without holding it: the SHA-256 in hex. */
export type CredentialId = string & { readonly __brand: 'CredentialId' }

/** 256 random bits in base64url: 43 characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of a secret. It is random, so a plain SHA-256 cannot be reversed. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

export function toCredentialId(hash: Buffer): CredentialId {
  return hash.toString('hex') as CredentialId
}

export function toCredentialHash(id: CredentialId): Buffer {
  return Buffer.from(id, 'hex')
}
