import { z } from 'zod'
import type { RestRoute } from '../routes.ts'
import { ROW_FORMATS } from '../streams/formats.ts'
import { rowStreams } from '../streams/row-streams.ts'
import { mapValues } from './component-schemas.ts'
import { type Components, describeOperation, describeParameters, getExample } from './operation.ts'

const FORMATS = Object.values(ROW_FORMATS).map(({ fileEnding }) => fileEnding)
const place = z.object({
  format: z.enum(FORMATS).describe('csv: RFC 4180, a line of names first. ndjson: a JSON object a line.'),
})

/** The path and the operation of a list as a file; null where the route has none. */
export function describeExport(route: RestRoute, components: Components): [string, Record<string, unknown>] | null {
  const rows = rowStreams[route.procedure]
  if (rows === undefined) return null
  const { answer } = getExample(route)
  const list = answer as readonly Readonly<Record<string, unknown>>[]
  const own = describeOperation(route, components)
  const parts = { ...components, example: { input: { format: 'csv' }, answer: null } }
  return [
    `/api/exports/${route.path.slice('/api/'.length)}.{format}`,
    {
      operationId: route.operationId.replace(/^list/, 'export'),
      summary: String(own.summary).replace(/^List/, 'Export'),
      description: `All rows that ${route.operationId} has in pages, or as many as \`limit\` says, as a stream, compressed where the client accepts it. Counts as twenty reads; an address may have two at a time.`,
      tags: own.tags,
      security: own.security,
      parameters: [...describeParameters(place, 'path', parts), ...(own.parameters as unknown[])],
      responses: {
        ...Object(own.responses),
        200: {
          description: 'The rows. A stream that broke off lacks the last chunk of HTTP.',
          content: mapValues(ROW_FORMATS, (format) => ({
            schema: { type: 'string' },
            example: `${format.head(rows.columns)}${format.rows(list, rows.columns)}`,
          })),
        },
      },
      'x-error-codes': own['x-error-codes'],
    },
  ]
}
