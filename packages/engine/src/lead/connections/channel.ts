import type { LeadAddresses, Leader } from '../lease/leader.ts'

/** A connection between two nodes that keeps the order of its bytes. */
export interface Channel {
  /** Bytes that the other side has not taken yet. */
  readonly unsentBytes: number
  /** Sends all of them in one step. Does nothing once the channel has ended. */
  write(chunks: readonly Buffer[]): void
  /** Ends the channel once everything written has left. */
  end(): void
  /** Ends the channel at once. */
  destroy(): void
}

/** Whoever uses one side of a channel. */
export interface ChannelUser {
  receive(chunk: Buffer): void
  /** Called once, whoever ended the channel. */
  onClose(): void
}

/** How nodes reach each other. */
export interface LeadNetwork {
  /** Takes the channels of other nodes; null if this node never leads. Rejects if the address cannot be used. */
  listen: ((welcome: (channel: Channel) => ChannelUser) => Promise<LeadListener>) | null
  /** Calls a leader; the channel closes if that fails. Null if the leader cannot be reached from here. */
  dial(leader: Leader, user: ChannelUser): Channel | null
}

export interface LeadListener extends LeadAddresses {
  /** Takes no further channels; those that exist remain. */
  close(): void
}
