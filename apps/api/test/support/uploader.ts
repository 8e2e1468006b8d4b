import { buildApp } from '../../src/app.ts'
import { createTestServer, type TestServer, type Visitor } from './test-server.ts'

/** A listening server, and the calls of a player who uploads a picture. */
export interface UploadServer extends TestServer {
  readonly origin: string
  /** Returns a pre-signed URL for this player. */
  uploadUrl(player: Visitor): Promise<string>
  /** Makes an upload the player's picture. Returns the response. */
  take(player: Visitor, url: string): Promise<{ status: number; body: string }>
  /** Fetches a player's picture from the server. */
  fetchPicture(player: Visitor): Promise<Response>
}

export async function createUploadServer(env: Record<string, string> = {}): Promise<UploadServer> {
  const server = await createTestServer({ env })
  const origin = `http://127.0.0.1:${await server.listen()}`
  const host = new URL(origin).host
  return {
    ...server,
    origin,
    uploadUrl: async (player) => {
      const answer = await player.raw('POST', '/api/objects/upload', '', { host })
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
      return answer.json().uploadURL
    },
    take: async (player, url) => {
      const body = JSON.stringify({ profilePictureUrl: url })
      const answer = await player.raw('PUT', '/api/users/profile-picture', body, { 'content-type': 'application/json' })
      return { status: answer.statusCode, body: answer.body }
    },
    fetchPicture: async (player) => {
      const { profilePictureUrl } = (await player.get('/api/auth/user')).json()
      return await fetch(`${origin}${profilePictureUrl}`)
    },
  }
}

/** Creates a server that has space for only ten more megabytes, because another player's uploads take up the rest. */
export async function createFullServer(env: Record<string, string> = {}): Promise<UploadServer> {
  const server = await createUploadServer(env)
  const player = await server.player()
  await server.uploadUrl(player)
  const received = new Date(Date.now() + 86_400_000)
  await server.db.updateTable('uploads').set({ bytes: 490_000_000, received_at: received }).execute()
  return server
}

/** Opens another node with the same database and pictures. */
export async function openNode({ app, database }: UploadServer): Promise<{ origin: string; close(): Promise<void> }> {
  const { config, log, clock } = app.platform
  const { fastify } = await buildApp({ config, database, log, clock, webRoot: null })
  const origin = await fastify.listen({ port: 0, host: '127.0.0.1' })
  return { origin, close: () => fastify.close() }
}

/** Uploads a file to a pre-signed URL, like a browser. */
export async function put(url: string, bytes: Buffer | string, type = 'image/png'): Promise<Response> {
  return await fetch(url, {
    method: 'PUT',
    body: new Uint8Array(Buffer.from(bytes)),
    headers: { 'content-type': type },
  })
}
