import { once } from 'node:events'
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { WAIT_MAX_MS } from './wait.ts'

/**
 * An event of a stream, as EventSource dispatches it. `id` is the stream's last id, which may come from an earlier
 * event.
 */
export interface SourceEvent {
  readonly id: string
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: tests check the values that they expect.
  readonly data: any
}

/** A client of `/api/events` in a test. */
export interface TestEventSource {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Everything received so far. */
  text(): string
  readonly events: readonly SourceEvent[]
  /** Returns the last id so far, which may have come without an event. */
  lastId(): string
  /** Resolves with the event at `index` once it has arrived. Rejects after `WAIT_MAX_MS`. */
  at(index: number): Promise<SourceEvent>
  until(isThere: () => boolean): Promise<void>
  /** Resolves once the server has ended the response or the connection. */
  readonly closed: Promise<void>
  close(): void
}

export async function openEventSource(url: string, headers: Record<string, string> = {}): Promise<TestEventSource> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).on('error', reject)
  })
  const events: SourceEvent[] = []
  const parser = new StreamParser(events)
  let text = ''
  response.setEncoding('utf8')
  response.on('data', (part: string) => {
    text += part
    parser.push(part)
  })
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  response.on('error', () => {})
  const until = async (isThere: () => boolean) => {
    const signal = AbortSignal.timeout(WAIT_MAX_MS)
    while (!isThere())
      await once(response, 'data', { signal }).catch(() => {
        throw new Error(`not there after ${events.length} events: ${text.slice(-500)}`)
      })
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    events,
    lastId: () => parser.id,
    at: async (index) => {
      await until(() => events.length > index)
      return events[index] as SourceEvent
    },
    until,
    closed,
    close: () => response.destroy(),
  }
}

/** Parses an event stream as in section 9.2.6 of the HTML standard. */
class StreamParser {
  id = ''
  readonly #events: SourceEvent[]
  #rest = ''
  #fields = { id: '', type: 'message', data: '' }

  constructor(events: SourceEvent[]) {
    this.#events = events
  }

  push(part: string): void {
    const lines = (this.#rest + part).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#readLine(line)
  }

  #readLine(line: string): void {
    if (line === '') {
      this.#dispatch()
      return
    }
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    if (name === 'id') this.#fields.id = value
    if (name === 'event') this.#fields.type = value
    if (name === 'data') this.#fields.data += value
  }

  #dispatch(): void {
    const { id, type, data } = this.#fields
    this.id = id
    this.#fields = { id, type: 'message', data: '' }
    if (data !== '') this.#events.push({ id, type, data: JSON.parse(data) })
  }
}
