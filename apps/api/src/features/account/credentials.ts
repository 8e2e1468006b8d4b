import { hash, randomBytes } from 'node:crypto'

/** Identifies a session token or API key without revealing it: the SHA-256 in hex. */
export type CredentialId = string & { readonly __brand: 'CredentialId' }

/** Creates 256 random bits in base64url, which are 43 characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the form in which a secret is stored. Secrets are random, so a plain SHA-256 cannot be reversed. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Returns the same as `toCredentialId(hashSecret(secret))`, in one step. */
export function identifySecret(secret: string): CredentialId {
  return hash('sha256', secret, 'hex') as CredentialId
}

export function toCredentialId(hash: Buffer): CredentialId {
  return hash.toString('hex') as CredentialId
}

export function toCredentialHash(id: CredentialId): Buffer {
  return Buffer.from(id, 'hex')
}
