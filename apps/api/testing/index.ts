/** The part of the app that other workspaces may use: benchmarks and browser tests import nothing else. */
export { auditMarket } from '../src/features/audit/audit-market.ts'
export { SESSION_MS } from '../src/features/auth/session-token.ts'
export { insertSession } from '../src/features/auth/store.ts'
export { findHeads, findPublication } from '../src/features/proof/heads-store.ts'
export { publishHeads, startOfHour } from '../src/features/proof/publish-heads.ts'
export { createLog } from '../src/log.ts'
export { hashSecret, newSecret } from '../src/security/credentials.ts'
export { rewriteChain } from './rewrite-chain.ts'
