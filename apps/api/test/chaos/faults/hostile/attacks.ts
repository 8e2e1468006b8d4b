import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { RestPlayer } from '../../support/rest-player.ts'
import { connectRaw, type RawConnections, toRequest } from './raw-connection.ts'
import { openRawWebSocket, toFrame } from './raw-web-socket.ts'

/** Who attacks, from one address, and whom. */
export interface Attacker {
  readonly url: string
  readonly address: string
  /** Their requests go out as bytes: real attackers bring processors of their own, these share the server's. */
  readonly connections: RawConnections
  /** An account of theirs. */
  readonly account: RestPlayer
  readonly tokenId: number
  /** Connections and sockets that they hold; the oldest is let go of when there are too many. */
  readonly held: Socket[]
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

const host = ({ url }: Attacker) => new URL(url).host

/** The bytes of a POST request. */
function toPost(who: Attacker, path: string, body: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  return toRequest(`POST ${path}`, { host: host(who), ...JSON_TYPE, ...headers }, body)
}

function toGet(who: Attacker, path: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  return toRequest(`GET ${path}`, { host: host(who), ...headers })
}

function toTalk(who: Attacker, text: string): Buffer {
  return toPost(who, '/api/talk', JSON.stringify({ tokenId: who.tokenId, text }), { cookie: who.account.cookie })
}

/** Sends the same bytes each time, made once for each attacker. */
function repeat(make: (who: Attacker) => Buffer): Attack {
  const made = new WeakMap<Attacker, Buffer>()
  return (who) => {
    const request = made.get(who) ?? make(who)
    made.set(who, request)
    return who.connections.ask(request)
  }
}

function hold(attacker: Attacker, connection: Socket): void {
  attacker.held.push(connection)
  if (attacker.held.length > HELD_MAX) attacker.held.shift()?.destroy()
}

/** Says something over a new socket, which stays. */
async function sayOverSocket(attacker: Attacker, frames: readonly Buffer[]): Promise<null> {
  const { url, address } = attacker
  hold(attacker, openRawWebSocket({ url, path: '/trpc', localAddress: address }, frames))
  return null
}

async function openSlowly(attacker: Attacker): Promise<null> {
  const { url, address } = attacker
  const socket = connectRaw({ url, localAddress: address }, () => {})
  hold(attacker, socket)
  socket.write('GET /api/tokens HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
  return null
}

const toCall = (method: string, path: string, input: string) =>
  `{"id":1,"method":"${method}","params":{"path":"${path}","input":${input}}}`

const TYPED_ARRAY_CALL = toFrame(toCall('mutation', 'auth.logout', TYPED_ARRAY))
const UNREADABLE = new Array<Buffer>(50).fill(toFrame('{"broken'))

/** What was found that a client can do, by name. */
export const attacks: Readonly<Record<string, Attack>> = {
  'typed array by POST': repeat((who) => toPost(who, '/trpc/auth.logout', TYPED_ARRAY)),
  'typed array by GET': repeat((who) => toGet(who, `/trpc/auth.me?input=${encodeURIComponent(TYPED_ARRAY)}`)),
  'typed array in a batch': repeat((who) =>
    toPost(
      who,
      `/trpc/${new Array(20).fill('auth.logout').join(',')}?batch=1`,
      `{${Array.from({ length: 20 }, (_, i) => `"${i}":${TYPED_ARRAY}`).join(',')}}`,
    ),
  ),
  'typed array over a socket': (who) => sayOverSocket(who, [TYPED_ARRAY_CALL]),
  'long path': repeat((who) => toPost(who, '/trpc/auth.logout', LONG_PATH)),
  'deep lists': repeat((who) => toPost(who, '/trpc/auth.logout', DEEP)),
  'many keys': repeat((who) => toPost(who, '/trpc/auth.logout', MANY_KEYS)),
  'misspelt guard': repeat((who) =>
    toPost(who, '/api/tokens/buy', `{"tokenId":${who.tokenId},"solAmount":"0.01","minTokenOut":"1"}`, {
      cookie: who.account.cookie,
    }),
  ),
  'unknown parameters': (who) => who.connections.ask(toGet(who, `/api/tokens?zzz=${random()}`)),
  'made-up host': (who) => who.connections.ask(toGet(who, `/token/${who.tokenId}`, { host: `${random()}.example` })),
  'huge body': repeat((who) => toPost(who, '/api/tokens/buy', `{"x":"${'x'.repeat(200_000)}"}`)),
  'unreadable messages': (who) => sayOverSocket(who, UNREADABLE),
  'slow connection': openSlowly,
  'resume from the first event': (who) =>
    sayOverSocket(who, [
      toFrame(toCall('subscription', 'live.token', `{"json":{"tokenId":${who.tokenId},"lastEventId":"0"}}`)),
    ]),
  'wrong login': (who) =>
    who.connections.ask(
      toPost(who, '/api/auth/login', `{"email":"${random()}@papermoon.example","password":"wrong-1"}`),
    ),
  'forgotten password': (who) =>
    who.connections.ask(toPost(who, '/api/auth/forgot-password', `{"email":"${random()}@papermoon.example"}`)),
  registration: (who) =>
    who.connections.ask(
      toPost(
        who,
        '/api/auth/register',
        `{"username":"${random()}","email":"${random()}@papermoon.example","wallet":"w","password":"${random()}"}`,
      ),
    ),
  'upload target': repeat((who) => toPost(who, '/api/objects/upload', '{}', { cookie: who.account.cookie })),
  'upload to nowhere': repeat((who) =>
    toRequest(`PUT /objects/uploads/1-${'0'.repeat(32)}`, { host: host(who) }, 'x'.repeat(100_000)),
  ),
  'flood of posts': (who) => who.connections.ask(toTalk(who, `Words of ${random()} and ${random()}`)),
  'marks on a letter': repeat((who) => toTalk(who, `a${'\u0301'.repeat(10_000)}`)),
  reports: repeat((who) =>
    toPost(who, '/api/reports', `{"kind":"token","id":${who.tokenId},"reason":"spam"}`, { cookie: who.account.cookie }),
  ),
  'long lists': repeat((who) => toGet(who, '/api/tokens?limit=1000')),
}
