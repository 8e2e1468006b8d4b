import pg from 'pg'

const MICROSECONDS = 1_000n
/** PostgreSQL counts time from 2000-01-01. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const STATUS = 'r'.charCodeAt(0)

/** The part of pg's connection that its types leave out. */
interface RawConnection {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  once(event: 'copyInResponse' | 'replicationStart', listener: () => void): void
  on(event: 'errorMessage', listener: (error: Error) => void): void
}

/** Follows a PostgreSQL like a standby, and applies only the requested changes. */
export interface ReplicaConnection {
  /** Reports that the log was written and applied up to a position. */
  apply(lsn: string): void
  close(): Promise<void>
}

/** Starts to stream from the current end of the log. The user must be allowed to replicate. */
export async function connectReplica(connectionString: string, name: string): Promise<ReplicaConnection> {
  const url = new URL(connectionString)
  const client = new pg.Client({
    host: url.searchParams.get('host') ?? url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
    application_name: name,
    replication: 'true',
  } as pg.ClientConfig)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ xlogpos: string }>('IDENTIFY_SYSTEM')
  const start = rows[0]?.xlogpos ?? '0/0'
  const { connection } = client as unknown as { connection: RawConnection }
  const started = new Promise<void>((resolve, reject) => {
    connection.once('replicationStart', resolve)
    connection.on('errorMessage', reject)
  })
  connection.query(`START_REPLICATION PHYSICAL ${start}`)
  await started
  return {
    apply: (lsn) => connection.sendCopyFromChunk(toStatus(lsn)),
    close: () => client.end(),
  }
}

/** Builds a standby status update of the streaming replication protocol. */
function toStatus(lsn: string): Buffer {
  const [high = '0', low = '0'] = lsn.split('/')
  const place = (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
  const message = Buffer.alloc(34)
  message.writeUInt8(STATUS, 0)
  for (const at of [1, 9, 17]) message.writeBigUInt64BE(place, at)
  message.writeBigInt64BE(BigInt(Date.now() - EPOCH_MS) * MICROSECONDS, 25)
  return message
}
