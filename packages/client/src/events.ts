import type { EventsOptions, StreamEvent } from './types.ts'

/**
 * How long the stream can be silent before the connection counts as lost, in ms. The server sends a heartbeat every 15
 * seconds.
 */
const SILENCE_MAX_MS = 45_000
const FIRST_WAIT_MS = 200
const LAST_WAIT_MS = 10_000
/** Max length of a message in characters. No real message is that long. */
const MESSAGE_CHARS_MAX = 1_000_000

/** The server rejected a stream, for example because of its cursor. */
export class StreamRefusedError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface StreamPosition {
  cursor: string | undefined
  waitMs: number
}

/** Yields the events from `/api/events`, and reconnects and resumes for ever. A `gap` event reports lost events. */
export async function* streamEvents(
  url: string,
  send: typeof fetch,
  { after, tokens, fairs, types, signal }: EventsOptions,
): AsyncGenerator<StreamEvent, void, void> {
  const address = new URL('/api/events', url)
  if (tokens !== undefined) address.searchParams.set('tokens', tokens.join())
  if (fairs !== undefined) address.searchParams.set('fairs', fairs.join())
  if (types !== undefined) address.searchParams.set('types', types.join())
  const position: StreamPosition = { cursor: after, waitMs: FIRST_WAIT_MS }
  while (signal?.aborted !== true) {
    const lost = new AbortController()
    const end = () => lost.abort()
    signal?.addEventListener('abort', end)
    try {
      yield* readStream({ address, send, position, lost })
    } catch (error) {
      // Errors of any other type mean that the connection was lost or that the text is not from Papermoon.
      if (error instanceof StreamRefusedError) throw error
    } finally {
      signal?.removeEventListener('abort', end)
      lost.abort()
    }
    await pause(position.waitMs, signal)
    position.waitMs = Math.min(position.waitMs * 2, LAST_WAIT_MS)
  }
}

interface Connection {
  readonly address: URL
  readonly send: typeof fetch
  readonly position: StreamPosition
  /** This signal aborts when the connection is lost. */
  readonly lost: AbortController
}

async function* readStream({ address, send, position, lost }: Connection): AsyncGenerator<StreamEvent, void, void> {
  let silence = setTimeout(() => lost.abort(), SILENCE_MAX_MS)
  try {
    const headers = { accept: 'text/event-stream, application/problem+json', ...toResume(position.cursor) }
    const response = await send(address, { headers, signal: lost.signal })
    if (!response.ok || response.body === null) return await refuse(response)
    const reader = response.body.pipeThrough(new TextDecoderStream() as never).getReader()
    for (let text = ''; ; ) {
      const { done, value } = (await reader.read()) as { done: boolean; value?: string }
      if (done) return
      clearTimeout(silence)
      silence = setTimeout(() => lost.abort(), SILENCE_MAX_MS)
      const messages = (text + value).split('\n\n')
      text = messages.pop() ?? ''
      if (text.length > MESSAGE_CHARS_MAX) return
      for (const message of messages) {
        const event = parseMessage(message, position.cursor)
        position.cursor = readField(message, 'id') ?? position.cursor
        position.waitMs = FIRST_WAIT_MS
        if (event !== null) yield event
      }
    }
  } finally {
    clearTimeout(silence)
  }
}

function toResume(cursor: string | undefined): Record<string, string> {
  return cursor === undefined ? {} : { 'last-event-id': cursor }
}

/**
 * Throws if the server rejected the stream. If the server failed or is busy, returns instead, and the connection counts
 * as lost.
 */
async function refuse(response: Response): Promise<void> {
  const text = await response.text()
  if (response.ok || response.status >= 500 || response.status === 429) return
  const isProblem = response.headers.get('content-type')?.includes('json') === true
  const sentence = isProblem ? JSON.parse(text).detail : text
  throw new StreamRefusedError(response.status, String(sentence))
}

/** Parses a message. Returns null if the message only updates the cursor, and throws if it is invalid. */
function parseMessage(message: string, before: string | undefined): StreamEvent | null {
  const data = readField(message, 'data')
  if (data === undefined) return null
  const type = readField(message, 'event')
  const parsed: unknown = JSON.parse(data)
  if (type === undefined || typeof parsed !== 'object' || parsed === null) throw new Error('no event')
  return { type, data: parsed, cursor: readField(message, 'id') ?? before ?? '' } as StreamEvent
}

function readField(message: string, name: string): string | undefined {
  return new RegExp(`^${name}: ?(.*)$`, 'm').exec(message)?.[1]
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
