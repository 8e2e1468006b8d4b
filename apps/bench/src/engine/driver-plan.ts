import type { DatabaseAddress } from '@papermoon/db'

/** What a driver trades, and how hard. */
export interface DrivePlan {
  /** 1 for one hot token; trades are spread evenly over ids from 1. */
  readonly tokens: number
  readonly players: number
  /** Trades under way at once; each player has one. */
  readonly inFlight: number
  readonly seconds: number
}

/** What came of it. */
export type DriveResult = {
  readonly perSecond: number
  readonly meanMs: number
  /** What a trade cost the driver's process on a core, its own orders included; absent where it is not known. */
  readonly nodeUs?: number
}

/** To a driver that runs as a process of its own: first where its database is, then what to do. */
export type DriverMessage = { readonly address: DatabaseAddress } | { readonly plan: DrivePlan }
