export type { AppInputs, AppOutputs, ErrorData, PapermoonApi } from './api-types.ts'
export { createPapermoonClient } from './create-papermoon-client.ts'
export { isPapermoonError, type PapermoonError } from './errors.ts'
export { StreamRefusedError } from './events.ts'
export { type RepeatOptions, repeatUntilAnswered } from './repeat.ts'
export type {
  ClientOptions,
  Connection,
  ConnectionState,
  EventsOptions,
  PapermoonClient,
  SocketClass,
  StreamEvent,
} from './types.ts'
