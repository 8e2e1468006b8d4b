import type { DatabaseAddress } from '@papermoon/db'

export interface DrivePlan {
  /** Number of tokens; trades are spread evenly over ids from 1. */
  readonly tokens: number
  readonly players: number
  /** Concurrent trades, one per player. */
  readonly inFlight: number
  readonly seconds: number
}

export type DriveResult = {
  readonly perSecond: number
  readonly meanMs: number
  /** Absent if unknown. */
  readonly p99Ms?: number
  /** CPU time per trade of the driver's process, including the generation of orders; absent if unknown. */
  readonly nodeUs?: number
}

/** Messages to a driver process: first the database's address, then plans. */
export type DriverMessage = { readonly address: DatabaseAddress } | { readonly plan: DrivePlan }
