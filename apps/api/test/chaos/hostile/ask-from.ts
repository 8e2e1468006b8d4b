import { type Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Ask } from '../support/rest-player.ts'

/**
 * Returns a `fetch` that uses an agent, which may bind another IP address, so that rate limits count its calls
 * separately.
 */
export function askFrom(agent: Agent): Ask {
  return async (url, { method = 'GET', headers = {}, body, signal }) => {
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
}
