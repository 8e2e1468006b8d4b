import { randomBytes } from 'node:crypto'
import { createConnection, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { Ask, RestPlayer } from '../../support/rest-player.ts'

/** Who attacks, from one address, and whom. */
export interface Attacker {
  readonly url: string
  readonly address: string
  readonly ask: Ask
  /** An account of theirs. */
  readonly account: RestPlayer
  readonly tokenId: number
  /** Connections and sockets that they hold; the oldest is let go of when there are too many. */
  readonly held: (Socket | WebSocket)[]
}

/** One strike; the status of its answer, or null where there is none. */
type Attack = (attacker: Attacker) => Promise<number | null>

const HELD_MAX = 250
const JSON_TYPE = { 'content-type': 'application/json' }
const TYPED_ARRAY = '{"json":{"length":200000000},"meta":{"values":[["typed-array","Uint8Array"]]}}'
const LONG_PATH = `{"json":{"a":null},"meta":{"values":{"${'a.'.repeat(15_000)}a":["undefined"]}}}`
const DEEP = `{"json":${'['.repeat(15_000)}${']'.repeat(15_000)}}`
const MANY_KEYS = `{"json":{${Array.from({ length: 2_500 }, (_, i) => `"k${i}":0`).join(',')}}}`
const random = () => randomBytes(6).toString('hex')

const post = async ({ ask, url }: Attacker, path: string, body: string, headers: Record<string, string> = {}) =>
  (await ask(`${url}${path}`, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body })).status
const get = async ({ ask, url }: Attacker, path: string, headers: Record<string, string> = {}) =>
  (await ask(`${url}${path}`, { headers })).status

function hold(attacker: Attacker, connection: Socket | WebSocket): void {
  attacker.held.push(connection)
  if (attacker.held.length <= HELD_MAX) return
  const oldest = attacker.held.shift()
  if (oldest instanceof WebSocket) oldest.terminate()
  else oldest?.destroy()
}

/** Says something over a new socket, which stays. */
async function sayOverSocket(attacker: Attacker, messages: readonly string[]): Promise<null> {
  const socket = new WebSocket(`${attacker.url.replace(/^http/, 'ws')}/trpc`, { localAddress: attacker.address })
  hold(attacker, socket)
  socket.on('error', () => {})
  socket.once('open', () => {
    for (const message of messages) socket.send(message)
  })
  return null
}

async function openSlowly(attacker: Attacker): Promise<null> {
  const { port } = new URL(attacker.url)
  const socket = createConnection({ port: Number(port), host: '127.0.0.1', localAddress: attacker.address })
  hold(attacker, socket)
  socket.on('error', () => {})
  socket.write('GET /api/tokens HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
  return null
}

const toCall = (method: string, path: string, input: string) =>
  `{"id":1,"method":"${method}","params":{"path":"${path}","input":${input}}}`

/** What was found that a client can do, by name. */
export const attacks: Readonly<Record<string, Attack>> = {
  'typed array by POST': (who) => post(who, '/trpc/auth.logout', TYPED_ARRAY),
  'typed array by GET': (who) => get(who, `/trpc/auth.me?input=${encodeURIComponent(TYPED_ARRAY)}`),
  'typed array in a batch': (who) =>
    post(
      who,
      `/trpc/${new Array(20).fill('auth.logout').join(',')}?batch=1`,
      `{${Array.from({ length: 20 }, (_, i) => `"${i}":${TYPED_ARRAY}`).join(',')}}`,
    ),
  'typed array over a socket': (who) => sayOverSocket(who, [toCall('mutation', 'auth.logout', TYPED_ARRAY)]),
  'long path': (who) => post(who, '/trpc/auth.logout', LONG_PATH),
  'deep lists': (who) => post(who, '/trpc/auth.logout', DEEP),
  'many keys': (who) => post(who, '/trpc/auth.logout', MANY_KEYS),
  'misspelt guard': (who) =>
    post(who, '/api/tokens/buy', `{"tokenId":${who.tokenId},"solAmount":"0.01","minTokenOut":"1"}`, {
      cookie: who.account.cookie,
    }),
  'unknown parameters': (who) => get(who, `/api/tokens?zzz=${random()}`),
  'made-up host': (who) => get(who, `/token/${who.tokenId}`, { host: `${random()}.example` }),
  'huge body': (who) => post(who, '/api/tokens/buy', `{"x":"${'x'.repeat(200_000)}"}`),
  'unreadable messages': (who) => sayOverSocket(who, new Array(50).fill('{"broken')),
  'slow connection': openSlowly,
  'resume from the first event': (who) =>
    sayOverSocket(who, [toCall('subscription', 'live.token', `{"json":{"tokenId":${who.tokenId},"lastEventId":"0"}}`)]),
  'wrong login': (who) =>
    post(who, '/api/auth/login', `{"email":"${random()}@papermoon.example","password":"wrong-1"}`),
  'forgotten password': (who) => post(who, '/api/auth/forgot-password', `{"email":"${random()}@papermoon.example"}`),
  registration: (who) =>
    post(
      who,
      '/api/auth/register',
      `{"username":"${random()}","email":"${random()}@papermoon.example","wallet":"w","password":"${random()}"}`,
    ),
  'upload target': (who) => post(who, '/api/objects/upload', '{}', { cookie: who.account.cookie }),
  'upload to nowhere': async ({ ask, url }) =>
    (await ask(`${url}/objects/uploads/1-${'0'.repeat(32)}`, { method: 'PUT', body: 'x'.repeat(100_000) })).status,
  'long lists': (who) => get(who, '/api/tokens?limit=1000'),
}
