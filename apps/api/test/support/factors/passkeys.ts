import type { Visitor } from '../test-server.ts'
import { Authenticator } from './authenticator.ts'

/** Origin of requests that are injected into the server. */
export const LOCAL_ORIGIN = 'http://localhost'

/** Adds a passkey to a player. */
export async function addPasskey(player: Visitor, name = 'my phone'): Promise<Authenticator> {
  const authenticator = new Authenticator(LOCAL_ORIGIN)
  const options = (await player.post('/api/passkeys/options', {})).json()
  const answer = await player.post('/api/passkeys', { name, credential: authenticator.create(options) })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return authenticator
}

/** Confirms the player's identity with a passkey. */
export async function confirmWithPasskey(player: Visitor, authenticator: Authenticator): Promise<void> {
  const options = (await player.post('/api/account/confirm/passkey', {})).json()
  const answer = await player.post('/api/account/confirm', { passkey: authenticator.get(options) })
  if (answer.statusCode !== 200) throw new Error(answer.body)
}
