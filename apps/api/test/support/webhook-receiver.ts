import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { publicOnly } from '../../src/security/outbound.ts'
import { startNameServer } from './name-server.ts'
import { readRequest } from './read-request.ts'
import { createTestServer, type TestServer } from './test-server.ts'

/** A request that the receiver got. */
export interface ReceivedCall {
  readonly path: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Milliseconds of `performance.now()` when it began. */
  readonly atMs: number
}

/** How it answers: status, body and headers. */
export type ReceiverAnswer = readonly [status: number, body?: string, headers?: Readonly<Record<string, string>>]

/** An HTTP server on loopback that gets webhooks. */
export interface WebhookReceiver {
  readonly origin: string
  readonly port: number
  readonly calls: readonly ReceivedCall[]
  /** Answers whatever is no challenge; challenges are repeated. */
  answer: (call: ReceivedCall) => ReceiverAnswer | Promise<ReceiverAnswer>
  /** Answers challenges. */
  answerChallenge: (challenge: string) => ReceiverAnswer
  close(): Promise<void>
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const calls: ReceivedCall[] = []
  const server = createServer(async (request, response) => {
    const atMs = performance.now()
    const bytes = await readRequest(request)
    if (bytes === null) return
    const text = bytes.toString()
    const { url: path = '', method = '', headers } = request
    const call = { path, method, headers, text, atMs }
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

/** A server whose webhooks may call receivers here. */
export async function startWebhookServer(more: Parameters<typeof createTestServer>[0] = {}): Promise<TestServer> {
  const names = await startNameServer(afterAll)
  const outbound = { ...publicOnly, nameServers: [names.address] }
  return await createTestServer({ outbound, env: { WEBHOOK_NETWORKS: '127.0.0.0/8' }, ...more })
}

/** Removes all webhooks with what waits for them, and answers as at first. */
export async function forgetWebhooks({ db }: TestServer, receiver: WebhookReceiver): Promise<void> {
  receiver.answer = () => [204]
  receiver.answerChallenge = (challenge) => [200, JSON.stringify({ challenge })]
  await db.deleteFrom('webhooks').execute()
  await db.deleteFrom('outbox').execute()
}
