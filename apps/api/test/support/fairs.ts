import { vi } from 'vitest'
import type { Visitor } from './test-server.ts'
import { WAIT_MAX_MS } from './wait.ts'

export interface Room {
  readonly id: number
  readonly invite: string
}

/** Creates a room that the host and other players have entered. */
export async function makeRoom(host: Visitor, players: readonly Visitor[] = [], settings: object = {}): Promise<Room> {
  const answer = await host.post('/api/fairs', { kind: 'room', name: 'Friday evening', minutes: 30, ...settings })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  const { fair, invite } = answer.json()
  for (const player of [host, ...players]) await player.post(`/api/fairs/${fair.id}/enter`, { invite })
  return { id: fair.id, invite }
}

/** Creates and starts a room of this host. */
export async function openRoom(host: Visitor, players: readonly Visitor[] = [], settings: object = {}): Promise<Room> {
  const room = await makeRoom(host, players, settings)
  await changeFair(host, room.id, { act: 'start' })
  return room
}

/** Starts or ends a fair of this host, or changes its launches. */
export function changeFair(host: Visitor, id: number, what: object) {
  return host.put(`/api/fairs/${id}`, what)
}

/** Starts a fair, ends it at once and waits for its results. */
export async function playFair(host: Visitor, id: number): Promise<void> {
  await changeFair(host, id, { act: 'start' })
  await changeFair(host, id, { act: 'end' })
  const isSettled = async () => (await host.get(`/api/fairs/${id}`)).json().state === 'settled'
  await vi.waitUntil(isSettled, { timeout: WAIT_MAX_MS, interval: 100 })
}
