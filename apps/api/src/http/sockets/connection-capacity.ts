/** More than the WebSockets there may be, so that pages still load beside them. */
const CONNECTIONS_MAX = 25_000
/** Files, the database, Redis and mail take descriptors, too. */
const SPARE_FILES = 256
const CONNECTIONS_MIN = 64
/** Of all connections. */
const SOCKETS_PART = 0.8

/** How many connections a process takes, and how many of them may be WebSockets. */
export interface ConnectionCapacity {
  readonly connections: number
  readonly sockets: number
}

/** The room that a process has which may have so many files open: a connection too many would break the database's. */
export function connectionCapacity(openFiles: number = openFilesMax()): ConnectionCapacity {
  const connections = Math.max(CONNECTIONS_MIN, Math.min(CONNECTIONS_MAX, openFiles - SPARE_FILES))
  return { connections, sockets: Math.floor(connections * SOCKETS_PART) }
}

/** How many files this process may have open; without end where the system knows no such limit. */
export function openFilesMax(): number {
  // Without it the names of all peers would be looked up; the types do not know it yet.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | 'unlimited' } }
  }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY
}
