import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Ask } from '../../support/rest-player.ts'

/** Requests from another address of this machine (any of 127.0.0.0/8 is one, on Linux), so that each counts for itself. */
export function askFrom(localAddress: string): Ask & { close(): void } {
  const agent = new Agent({ keepAlive: true, localAddress })
  const ask = async (url: string, { method = 'GET', headers = {}, body, signal }: RequestInit): Promise<Response> => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(
        url,
        { agent, method, headers: Object.fromEntries(new Headers(headers)), ...(signal && { signal }) },
        resolve,
      )
      sent.once('error', reject)
      sent.end(body ?? undefined)
    })
    const said = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    return new Response((await text(answer)) || null, { status: answer.statusCode ?? 500, headers: said })
  }
  return Object.assign(ask, { close: () => agent.destroy() })
}
