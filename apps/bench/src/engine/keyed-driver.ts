import { randomUUID } from 'node:crypto'
import { driveOnDemand } from './drive-on-demand.ts'
import { openEngine } from './open-engine.ts'

/** The trading engine for callers who send idempotency keys: each is looked up among the earlier ones. */
driveOnDemand(
  (address) =>
    openEngine(address, undefined, (own) => ({
      submit: (order) => own.submit({ ...order, requestKey: makeKey() }),
      dryRun: (order) => own.dryRun(order),
      findPending: (userId, requestKey) => own.findPending(userId, requestKey),
    })).trade,
)

/** Rises with time as the engine's own keys do, so that only the look-up differs. */
function makeKey(): string {
  return `${Date.now().toString(16).padStart(12, '0')}-${randomUUID()}`
}
