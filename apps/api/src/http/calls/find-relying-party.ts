import type { FastifyRequest } from 'fastify'
import { type RelyingParty, toRelyingParty } from '../../security/passkeys/relying-party.ts'
import { isLocalRequest } from '../security/local-request.ts'

/** The WebAuthn relying party: PUBLIC_URL, or localhost for requests of this machine. The Host header alone is never trusted. */
export function findRelyingParty(request: FastifyRequest, publicUrl: string | null): RelyingParty | null {
  if (publicUrl !== null) return toRelyingParty(publicUrl)
  return isLocalRequest(request) ? toRelyingParty(`${request.protocol}://${request.host.toLowerCase()}`) : null
}
