import type pg from 'pg'
import type { Logger } from 'pino'
import type { LeadAddresses } from '../../src/lead/lease/leader.ts'
import { LEASE_MS, type LeaseRow } from '../../src/lead/lease/lease.ts'
import { DatabaseLeaseStore } from '../../src/lead/lease/lease-store.ts'
import { processRuntime, type Runtime } from '../../src/lead/runtime.ts'

/** How many times slower the nodes' clocks run: a machine that stands still for a second ends no link and no lease. */
export const SLOWNESS = 3

export const slowRuntime: Runtime = {
  ...processRuntime,
  nowMs: () => processRuntime.nowMs() / SLOWNESS,
  after: (ms, run) => processRuntime.after(ms * SLOWNESS, run),
}

/** The lease in PostgreSQL, whose clock does not run slower, for nodes whose clocks do. */
export class SlowLeaseStore extends DatabaseLeaseStore {
  constructor(pool: pg.Pool, log: Logger) {
    super({ pool, log, leaseMs: LEASE_MS * SLOWNESS })
  }

  override async read(): Promise<LeaseRow | null> {
    return toSlowTime(await super.read())
  }

  override async take(node: string, addresses: LeadAddresses): Promise<LeaseRow | null> {
    return toSlowTime(await super.take(node, addresses))
  }
}

function toSlowTime(row: LeaseRow | null): LeaseRow | null {
  return row && { ...row, leftMs: row.leftMs / SLOWNESS }
}
