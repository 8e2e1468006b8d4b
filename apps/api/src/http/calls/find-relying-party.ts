import type { FastifyRequest } from 'fastify'
import { type RelyingParty, toRelyingParty } from '../../security/passkeys/relying-party.ts'

/**
 * The WebAuthn relying party: PUBLIC_URL, or localhost under that name. Host alone names no other: a passkey of localhost works only
 * on pages that its owner's own machine serves, so who forges the header gains nothing.
 */
export function findRelyingParty(request: FastifyRequest, publicUrl: string | null): RelyingParty | null {
  if (publicUrl !== null) return toRelyingParty(publicUrl)
  return request.hostname === 'localhost' ? toRelyingParty(`${request.protocol}://${request.host}`) : null
}
