import { writeFileSync } from 'node:fs'
import { contract } from '@papermoon/contract'
import { errorData } from '@papermoon/contract/error-data'
import { streamMessages } from '@papermoon/contract/live'
import type { Procedure } from '@papermoon/contract/procedure'
import { compile } from 'json-schema-to-typescript'
import { type ZodType, z } from 'zod'

/**
 * Writes `dist/api-types.d.ts` with the types of the contract's schemas as plain declarations. The client needs these
 * declarations, because its package contains neither the contract nor the contract's libraries.
 */
const TARGET = new URL('../dist/api-types.d.ts', import.meta.url)

/** Declares how to call procedures. Tests compare these declarations with the types in `src`. */
const CALLS = `import type { PapermoonError } from './errors.js'

export interface CallOptions {
  /** Aborts the call. A mutation may have taken effect. */
  readonly signal?: AbortSignal
}

export interface Query<Input, Output> {
  query(input: Input, options?: CallOptions): Promise<Output>
}

export interface Mutation<Input, Output> {
  mutate(input: Input, options?: CallOptions): Promise<Output>
}

export interface Subscription<Input, Event> {
  subscribe(input: Input, handlers: SubscriptionHandlers<Event>): { unsubscribe(): void }
}

export interface SubscriptionHandlers<Event> {
  readonly onStarted?: () => void
  readonly onData?: (event: Event) => void
  /** The server refused the subscription. A lost connection is not an error, since the client reconnects and resumes. */
  readonly onError?: (error: PapermoonError) => void
  readonly onStopped?: () => void
  readonly onComplete?: () => void
  readonly signal?: AbortSignal
}
`

const CALL_TYPES = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }

/** Returns a schema that stands for a named TypeScript type. */
const named = (tsType: string): ZodType => z.any().meta({ tsType })

/**
 * Returns the schema of an object with a property for each router, in which each router has a property for each
 * procedure.
 */
function toTree(convert: (procedure: Procedure, type: string) => ZodType): ZodType {
  const routers = Object.entries(contract).map(([router, procedures]) => {
    const parts = Object.entries(procedures).map(([name, procedure]) => [
      name,
      convert(procedure, `['${router}']['${name}']`),
    ])
    return [router, z.object(Object.fromEntries(parts))]
  })
  return z.object(Object.fromEntries(routers))
}

function toOutput({ type, output }: Procedure): ZodType {
  return type === 'subscription' ? z.object({ id: z.string(), data: output }) : output
}

async function declare(name: string, schema: ZodType, io: 'input' | 'output'): Promise<string> {
  const { id: _id, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return await compile(json as object, name, {
    additionalProperties: false,
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    style: { semi: false, singleQuote: true, printWidth: 120 },
  })
}

const declarations = [
  await declare(
    'AppInputs',
    toTree(({ input }) => input ?? named('void')),
    'input',
  ),
  await declare('AppOutputs', toTree(toOutput), 'output'),
  await declare('ErrorData', errorData, 'output'),
  await declare('StreamMessages', z.object(streamMessages), 'output'),
  await declare(
    'PapermoonApi',
    toTree(({ type }, path) => named(`${CALL_TYPES[type]}<AppInputs${path}, AppOutputs${path}>`)),
    'output',
  ),
]
writeFileSync(TARGET, [CALLS, ...declarations].join('\n'))
