import { connect, type DatabaseClient } from '@papermoon/db'

/**
 * Opens a replica. Its connections are given up sooner than those of the primary, since the primary answers where the replica
 * does not.
 */
export function connectReplica(url: string, onConnectionError: (error: Error) => void = () => {}): DatabaseClient {
  return connect(
    { connectionString: url },
    {
      poolMax: 10,
      applicationName: 'papermoon-reads',
      connectTimeoutMs: 2_000,
      answerGraceMs: 1_000,
      onConnectionError,
    },
  )
}
