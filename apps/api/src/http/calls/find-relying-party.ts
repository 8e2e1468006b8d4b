import type { FastifyRequest } from 'fastify'
import { type RelyingParty, toRelyingParty } from '../../security/passkeys/relying-party.ts'
import { isLocalRequest } from '../security/local-request.ts'

/** Whom passkeys are for: the site at PUBLIC_URL; without it, localhost when this machine asks. Never what Host says else. */
export function findRelyingParty(request: FastifyRequest, publicUrl: string | null): RelyingParty | null {
  if (publicUrl !== null) return toRelyingParty(publicUrl)
  return isLocalRequest(request) ? toRelyingParty(`${request.protocol}://${request.host.toLowerCase()}`) : null
}
