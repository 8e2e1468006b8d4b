import type { ApiTypes, Procedure } from './read-procedures.ts'

/** Beside the flattened types: how the client calls. Checked against the source's types by the tests. */
const CALLS = `import type { PapermoonError } from './errors.js'

export interface CallOptions {
  /** Aborts the call; a mutation may have happened. */
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
  /** The server refused the subscription. A lost connection is no error: the client reconnects and resumes. */
  readonly onError?: (error: PapermoonError) => void
  readonly onStopped?: () => void
  readonly onComplete?: () => void
  readonly signal?: AbortSignal
}
`

const INTERFACES = { query: 'Query', mutate: 'Mutation', subscribe: 'Subscription' }

/** Renders the declarations of `api-types.d.ts`. */
export function renderApiTypes({ procedures, named }: ApiTypes): string {
  const types = [...named].map(([name, body]) => `export type ${name} = ${body}\n`)
  return [
    CALLS,
    ...types,
    `/** The input of each procedure. */\nexport interface AppInputs ${renderTree(procedures, ({ input }) => input)}\n`,
    `/** The answer of each procedure; of a subscription, its events. */\nexport interface AppOutputs ${renderTree(procedures, ({ output }) => output)}\n`,
    `/** Every procedure, typed. */\nexport interface PapermoonApi ${renderTree(procedures, renderCall)}\n`,
  ].join('\n')
}

function renderCall({ router, name, kind }: Procedure): string {
  const path = `['${router}']['${name}']`
  return `${INTERFACES[kind]}<AppInputs${path}, AppOutputs${path}>`
}

function renderTree(procedures: readonly Procedure[], render: (procedure: Procedure) => string): string {
  const routers = [...Map.groupBy(procedures, ({ router }) => router)].map(([router, own]) => {
    const lines = own.map(
      (procedure) => `    readonly ${procedure.name}: ${render(procedure).replaceAll('\n', '\n    ')}`,
    )
    return `  readonly ${router}: {\n${lines.join('\n')}\n  }`
  })
  return `{\n${routers.join('\n')}\n}`
}
