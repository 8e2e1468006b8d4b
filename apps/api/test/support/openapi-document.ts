import { dereference } from './compare-documents.ts'
import type { Visitor } from './test-server.ts'

export interface Media {
  readonly schema: object
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
export type Content = Readonly<Record<string, Media>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly example?: unknown
  readonly schema: object
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content: Content
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security?: unknown
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
  readonly 'x-api-key-scopes'?: readonly string[]
  readonly 'x-error-codes'?: Readonly<Record<string, readonly string[]>>
}

export interface OpenApi {
  readonly openapi: string
  readonly info: { readonly description: string }
  readonly security: unknown
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly 'x-common-headers': Readonly<Record<string, unknown>>
  readonly 'x-common-error-codes': Readonly<Record<string, readonly string[]>>
}

/** Returns a server's whole OpenAPI document without references. */
export async function readOpenApi(visitor: Visitor): Promise<OpenApi> {
  const document = (await visitor.get('/api/openapi.json?view=full')).json()
  return dereference(document) as OpenApi
}

/** Returns the description of a status's response, or of its class. */
export function findResponse({ responses }: Operation, status: number): Response | undefined {
  return responses[status] ?? responses[`${Math.floor(status / 100)}XX`]
}

/** Returns the error codes that the document lists for an operation. */
export function listDescribedCodes(document: OpenApi, method: string, operation: Operation): Set<string> {
  const {
    everywhere = [],
    'with a session or key': signedIn = [],
    'in writes': writes = [],
  } = document['x-common-error-codes']
  const { security = document.security } = operation
  return new Set([
    ...everywhere,
    ...(Array.isArray(security) && security.length > 0 ? signedIn : []),
    ...(method === 'GET' ? [] : writes),
    ...Object.values(operation['x-error-codes'] ?? {}).flat(),
  ])
}

/** Changes a response's schema so that it allows only the described properties. */
export function closeSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(
    Object.entries(schema).map(([keyword, part]) => [
      keyword,
      keyword === 'properties'
        ? Object.fromEntries(Object.entries(Object(part)).map(([name, field]) => [name, closeSchema(field)]))
        : closeSchema(part),
    ]),
  )
  return 'properties' in parts ? { additionalProperties: false, ...parts } : parts
}
