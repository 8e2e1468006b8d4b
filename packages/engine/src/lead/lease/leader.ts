/** Where a leader can be called. */
export interface LeadAddresses {
  /** Host and port. */
  readonly address: string
  /** Path of a Unix socket, for nodes of the same machine; null: none. */
  readonly socket: string | null
}

/** The node that leads. */
export interface Leader extends LeadAddresses {
  /** Counts the leaders of this database. */
  readonly term: number
  /** Identifies its process. */
  readonly node: string
  /** Its machine. */
  readonly host: string
}
