/** The part of the app that other workspaces may use: benchmarks and browser tests import nothing else. */
export { hashSecret, newSecret, SESSION_MS } from '../../src/features/account/credentials.ts'
export { insertSession } from '../../src/features/account/sign-in/store.ts'
export { auditMarket } from '../../src/features/audit/audit-market.ts'
export { createLog } from '../../src/log.ts'
export { type Server, startServer, startServerWith } from './server-process.ts'
