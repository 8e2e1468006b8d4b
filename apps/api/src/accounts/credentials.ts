import { hash, randomBytes } from 'node:crypto'

/** Identifies a session token or API key without revealing it: its SHA-256 in hex. */
export type CredentialId = string & { readonly __brand: 'CredentialId' }

/** 256 random bits in base64url: 43 characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored form of a secret. Secrets are random, so a plain SHA-256 is not reversible. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** The same as `toCredentialId(hashSecret(secret))`, in one step. */
export function identifySecret(secret: string): CredentialId {
  return hash('sha256', secret, 'hex') as CredentialId
}

export function toCredentialId(hash: Buffer): CredentialId {
  return hash.toString('hex') as CredentialId
}

export function toCredentialHash(id: CredentialId): Buffer {
  return Buffer.from(id, 'hex')
}
