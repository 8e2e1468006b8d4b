import type { Subscriber } from './channels.ts'

/** A connection that gets events. */
export interface Outlet extends Subscriber {
  readonly ip: string
  /** Aborts when the connection has ended. */
  readonly signal: AbortSignal
  /** Whether what is missed, and a limit, end it with an error. Others are told what is missed, and wait. */
  readonly isStrict: boolean
  /** Resolves once everything was sent, or the connection has ended because that took too long. */
  drained(): Promise<void>
  /** Everything at or below the cursor was sent, whether or not it had events for this connection. */
  moveTo(cursor: string): void
  /** From now on events are sent as they happen; `end` ends that. */
  goLive(end: () => void): void
}
