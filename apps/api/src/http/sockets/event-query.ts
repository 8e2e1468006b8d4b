import { eventStreamInput } from '@papermoon/contract/live'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../context.ts'
import { DEFAULT_FILTER } from '../../events/stream/event-filter.ts'
import type { WantedEvents } from '../../features/live/follow-events.ts'
import { createBadInput, listFieldErrors, toFieldError } from '../../validation/messages.ts'
import { assertQuery, readQuery } from '../rest/query-parameters.ts'

const CURSOR_EXPECTED = 'must be a cursor: the id of an event of /api/events, or the cursor of a message of /ws'

/** Reads the query, and `Last-Event-ID`, which is newer than the `after` of the address. Throws `BadInputError`. */
export function readEventQuery({ live: { stream } }: App, { query, headers }: FastifyRequest): WantedEvents {
  assertQuery(query, Object.keys(eventStreamInput.shape))
  const input = eventStreamInput.safeParse(readQuery(query))
  if (!input.success) throw createBadInput(listFieldErrors(input.error))
  const { tokens = null, types, after } = input.data
  const kinds = types === undefined ? DEFAULT_FILTER.kinds : new Set(types)
  const lastEventId = headers['last-event-id']
  const hasId = typeof lastEventId === 'string' && lastEventId !== ''
  const text = hasId ? lastEventId : after
  const cursor = text === undefined ? null : stream.cursors.parse(text)
  if (text !== undefined && cursor === null) {
    const name = hasId ? 'Last-Event-ID' : 'after'
    throw createBadInput([toFieldError([name], CURSOR_EXPECTED)])
  }
  return { filter: { tokens, kinds }, cursor }
}
