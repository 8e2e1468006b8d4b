import { CopyOutQuery } from './copy-query.ts'
import { formatLsn, type Lsn } from './lsn.ts'
import type { ReplicationConnection } from './replication.ts'

/** PostgreSQL counts microseconds from 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const [WAL_DATA, KEEPALIVE, STATUS] = ['w', 'k', 'r'].map((kind) => kind.charCodeAt(0)) as [number, number, number]
/** PostgreSQL ends a stream whose reader was silent for a minute, which storing a file may take. */
const STATUS_EVERY_MS = 10_000

/** A piece of the WAL; each begins where the one before ended. */
export interface WalPiece {
  readonly start: Lsn
  readonly data: Buffer
}

export interface WalStream {
  readonly pieces: AsyncIterable<WalPiece>
  /** Tells the server that everything before `flushed` is stored: the slot no longer keeps it. */
  confirm(flushed: Lsn): void
}

interface StreamStart {
  readonly slot: string
  readonly from: Lsn
  readonly timeline: number
}

/** Streams the WAL from a position on, until the connection is closed. One stream at a time can use a slot. */
export function startWalStream({ client }: ReplicationConnection, { slot, from, timeline }: StreamStart): WalStream {
  const query = new CopyOutQuery(`START_REPLICATION SLOT "${slot}" PHYSICAL ${formatLsn(from)} TIMELINE ${timeline}`)
  client.query(query)
  let confirmed = from
  const sendStatus = () => query.send(formatStatus(confirmed))
  return {
    pieces: readPieces(query, sendStatus),
    confirm: (flushed) => {
      confirmed = flushed
      sendStatus()
    },
  }
}

async function* readPieces(query: CopyOutQuery, sendStatus: () => void): AsyncIterable<WalPiece> {
  const timer = setInterval(sendStatus, STATUS_EVERY_MS)
  try {
    for await (const message of query as AsyncIterable<Buffer>) {
      if (message[0] === WAL_DATA) yield { start: message.readBigUInt64BE(1), data: message.subarray(25) }
      else if (message[0] === KEEPALIVE && message[17] === 1) sendStatus()
    }
  } finally {
    clearInterval(timer)
  }
}

/** Written and flushed up to the position; applied nowhere. */
function formatStatus(flushed: Lsn): Buffer {
  const status = Buffer.alloc(34)
  status[0] = STATUS
  status.writeBigUInt64BE(flushed, 1)
  status.writeBigUInt64BE(flushed, 9)
  status.writeBigUInt64BE(0n, 17)
  status.writeBigInt64BE(BigInt(Date.now() - EPOCH_MS) * 1_000n, 25)
  return status
}
