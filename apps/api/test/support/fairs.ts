import { CHARACTERS } from '@papermoon/bots'
import { vi } from 'vitest'
import { createHouseBots } from '../../src/house/create-house-bots.ts'
import type { TestServer, Visitor } from './test-server.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

export interface Room {
  readonly id: number
  readonly invite: string
}

/** A room of this host, who is in it, with other players. */
export async function makeRoom(host: Visitor, players: readonly Visitor[] = [], settings: object = {}): Promise<Room> {
  const answer = await host.post('/api/fairs', { kind: 'room', name: 'Friday evening', minutes: 30, ...settings })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  const { fair, invite } = answer.json()
  for (const player of [host, ...players]) await player.post(`/api/fairs/${fair.id}/enter`, { invite })
  return { id: fair.id, invite }
}

/** Starts or ends a fair of this host, or changes its launches. */
export function changeFair(host: Visitor, id: number, what: object) {
  return host.raw('PUT', `/api/fairs/${id}`, JSON.stringify(what), JSON_TYPE)
}

/** Starts a fair, ends it at once and waits for its results. */
export async function playFair(host: Visitor, id: number): Promise<void> {
  await changeFair(host, id, { act: 'start' })
  await changeFair(host, id, { act: 'end' })
  const isSettled = async () => (await host.get(`/api/fairs/${id}`)).json().state === 'settled'
  await vi.waitUntil(isSettled, { timeout: 20_000, interval: 100 })
}

/** What a valid call of a procedure about one fair needs: a room of the caller's. Undefined for all others. */
export async function prepareFair(
  server: TestServer,
  procedure: string,
  host: Visitor,
): Promise<Record<string, unknown> | undefined> {
  if (procedure === 'fairs.beginQuick') await createHouseBots(server.db, CHARACTERS, { at: new Date() })
  if (!procedure.startsWith('fairs.') || ['beginQuick', 'list', 'create', 'record'].includes(procedure.slice(6)))
    return undefined
  if (procedure === 'fairs.remove') {
    const guest = await server.player('guest-to-go')
    const { id } = await makeRoom(host, [guest])
    return { id, userId: (await guest.get('/api/auth/user')).json().id }
  }
  const { id } = await makeRoom(host)
  if (['fairs.story', 'fairs.replay', 'fairs.rematch'].includes(procedure)) await playFair(host, id)
  return procedure === 'fairs.update' ? { id, launches: 'nobody' } : { id }
}
