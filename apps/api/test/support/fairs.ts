import { sql } from 'kysely'
import { expect } from 'vitest'
import type { TestServer, Visitor } from './test-server.ts'

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

/** Starts or ends a fair of this host, or changes who can launch in it. */
export function changeFair(host: Visitor, id: number, what: object) {
  return host.put(`/api/fairs/${id}`, what)
}

/** Starts a fair, ends it at once and waits for its results. */
export async function playFair(server: TestServer, host: Visitor, id: number): Promise<void> {
  await changeFair(host, id, { act: 'start' })
  await changeFair(host, id, { act: 'end' })
  await becomes(server, host, id, { state: 'settled' })
}

/** Runs the server's job for fairs until a fair matches `state`, as if the job had run all the time. */
export async function becomes(server: TestServer, player: Visitor, id: number, state: object): Promise<void> {
  // Time in which no server looked after a fair counts as downtime, and too much of it makes a fair void.
  await sql`update fairs set seen_at = least(clock_timestamp(), bell_at) where state = 'open'`.execute(server.db)
  await server.tickUntil('fairs', async () =>
    expect((await player.get(`/api/fairs/${id}`)).json()).toMatchObject(state),
  )
}
