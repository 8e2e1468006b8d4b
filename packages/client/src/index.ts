export type { AppInputs, AppOutputs, AppRouter } from '@papermoon/api/router'
export type { Connection, ConnectionState } from './connection.ts'
export { type ClientOptions, createPapermoonClient, type PapermoonClient } from './create-papermoon-client.ts'
