import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, expect } from 'vitest'
import { publicOnly } from '../../src/security/outbound.ts'
import { startNameServer } from './name-server.ts'
import { readRequest } from './read-request.ts'
import { createTestServer, type Visitor } from './test-server.ts'

/** A request that the receiver received. */
export interface ReceivedCall {
  readonly path: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** The response of the receiver: status, body and headers. */
export type ReceiverAnswer = readonly [status: number, body?: string, headers?: Readonly<Record<string, string>>]

/** An HTTP server on loopback that receives webhooks. */
export interface WebhookReceiver {
  readonly origin: string
  readonly port: number
  readonly calls: readonly ReceivedCall[]
  /** Returns the response to everything but challenges, which are sent back by default. */
  answer: (call: ReceivedCall) => ReceiverAnswer | Promise<ReceiverAnswer>
  /** Returns the response to a challenge. */
  answerChallenge: (challenge: string) => ReceiverAnswer
  close(): Promise<void>
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const calls: ReceivedCall[] = []
  const server = createServer(async (request, response) => {
    const bytes = await readRequest(request)
    if (bytes === null) return
    const text = bytes.toString()
    const { url: path = '', method = '', headers } = request
    const call = { path, method, headers, text }
    calls.push(call)
    const body = text === '' ? {} : JSON.parse(text)
    const isChallenge = body.type === 'challenge'
    const [status, answer = '', more = {}] = isChallenge
      ? receiver.answerChallenge(body.data.challenge)
      : await receiver.answer(call)
    response.writeHead(status, more).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: WebhookReceiver = {
    origin: `http://127.0.0.1:${port}`,
    port,
    calls,
    answer: () => [204],
    answerChallenge: (challenge) => [200, JSON.stringify({ challenge })],
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

/** A webhook of a test. */
export interface Made {
  readonly id: number
  readonly secret: string
  readonly path: string
}

/** An event as receivers get it. */
export interface SentEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever its type has
  readonly data: any
}

/**
 * Opens a receiver, a server whose webhooks can call it, and functions for tests. All webhooks are deleted after each
 * test.
 */
export async function openWebhooks(events: readonly string[]) {
  const receiver = await startWebhookReceiver()
  const names = await startNameServer(afterAll)
  const start = (more: Parameters<typeof createTestServer>[0] = {}) => {
    const outbound = { ...publicOnly, nameServers: [names.address] }
    return createTestServer({ outbound, env: { WEBHOOK_NETWORKS: '127.0.0.0/8' }, ...more })
  }
  const server = await start()
  afterAll(async () => {
    await server.close()
    await receiver.close()
  })
  afterEach(async () => {
    receiver.answer = () => [204]
    receiver.answerChallenge = (challenge) => [200, JSON.stringify({ challenge })]
    await server.db.deleteFrom('webhooks').execute()
    await server.db.deleteFrom('outbox').execute()
  })
  let hooks = 0
  const create = (player: Visitor, input: object) =>
    player.post('/api/webhooks', { url: `${receiver.origin}/hook-${++hooks}`, events, ...input })
  const make = async (player: Visitor, input: object = {}): Promise<Made> => {
    const answer = await create(player, input)
    expect(answer.statusCode, answer.body).toBe(201)
    const { id, secret } = answer.json()
    return { id, secret, path: new URL(Object(input).url ?? answer.json().url).pathname }
  }
  const show = async (player: Visitor, id: number) =>
    (await player.get('/api/webhooks')).json().find((it: { id: number }) => it.id === id)
  const eventually = (check: () => unknown) =>
    server.tickUntil('notices', async () => {
      await server.tick('outbox')
      await check()
    })
  const becomes = (player: Visitor, id: number, state: object) =>
    eventually(async () => expect(await show(player, id)).toMatchObject(state))
  const callsTo = ({ path }: Pick<Made, 'path'>): ReceivedCall[] => receiver.calls.filter((call) => call.path === path)
  const messagesTo = (made: Pick<Made, 'path'>, type = 'events') =>
    callsTo(made)
      .map(({ text }) => JSON.parse(text))
      .filter((body) => body.type === type)
  const eventsAt = (made: Pick<Made, 'path'>): SentEvent[] => messagesTo(made).flatMap(({ data }) => data.events)
  return {
    receiver,
    names,
    server,
    start,
    create,
    make,
    show,
    becomes,
    callsTo,
    messagesTo,
    eventsAt,
    idsAt: (made: Pick<Made, 'path'>): string[] => eventsAt(made).map(({ id }) => id),
    /** Runs the jobs for webhooks until `check` succeeds. */
    eventually,
    /** Creates a webhook, and waits until its URL has confirmed the challenge. */
    verified: async (player: Visitor, input: object = {}): Promise<Made> => {
      const made = await make(player, input)
      await becomes(player, made.id, { status: 'active' })
      return made
    },
  }
}
