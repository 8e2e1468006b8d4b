import type { Subscriber } from './channels.ts'

/** A connection that gets events. */
export interface Outlet extends Subscriber {
  readonly ip: string
  /** Aborts when the connection ends. */
  readonly signal: AbortSignal
  /**
   * Whether missed events and rate limits end the connection with an error. Otherwise the connection gets a gap
   * message, or waits for the limit.
   */
  readonly isStrict: boolean
  /** Resolves once everything was sent, or the connection has ended because sending took too long. */
  drained(): Promise<void>
  /** Reports that all events up to the cursor were sent, even if none was for this connection. */
  moveTo(cursor: string): void
  /** Called when events are sent as they happen; `end` stops this. */
  goLive(end: () => void): void
}
