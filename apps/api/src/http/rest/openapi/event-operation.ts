import { eventStreamInput } from '@papermoon/contract/live'
import { findTag } from '@papermoon/contract/tags'
import { z } from 'zod'
import { streamExamples } from '../asyncapi/examples.ts'
import { type Components, describeParameters } from './operation.ts'

export const EVENTS_PATH = '/api/events'

const DESCRIPTION =
  'The stream begins now or after a cursor, and never ends. `event` is one of `types`, gap (events are missing) or live (all past events were sent). `data` is JSON. To resume, send the last `id` as `after`. The [AsyncAPI document](/api/asyncapi.json) has the schema and an example of each event.'
const BODY = 'Events as defined in WHATWG HTML 9.2. A comment every 15 seconds keeps the connection open.'

const resumeHeader = z.object({
  'Last-Event-ID': z
    .string()
    .optional()
    .describe('Same as `after`, and takes precedence. Browsers send this header when they reconnect.'),
})

/** Describes the OpenAPI operation of the event stream, which is not a procedure. */
export function describeEventStream(components: Components): Record<string, unknown> {
  const parts = { ...components, example: { input: { types: 'trade,rug' }, answer: null } }
  return {
    operationId: 'streamEvents',
    summary: 'Streams Server-Sent Events',
    description: DESCRIPTION,
    tags: [findTag('live.events').name],
    security: [],
    parameters: [
      ...describeParameters(eventStreamInput, 'query', parts),
      ...describeParameters(resumeHeader, 'header', parts),
    ],
    responses: {
      200: {
        description: 'The stream of events.',
        content: {
          'text/event-stream': {
            schema: { type: 'string', description: BODY },
            example: toExample(),
          },
        },
      },
      ...components.responses.describe({ refusals: ['BUSY', 'FAIR_NOT_FOUND'] }),
    },
  }
}

function toExample(): string {
  const { cursor, ...event } = streamExamples.trade
  return `id: ${cursor}\nevent: trade\ndata: ${JSON.stringify(event)}\n\n`
}
