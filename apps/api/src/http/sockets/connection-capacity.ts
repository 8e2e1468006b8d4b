/** Max number of connections. WebSockets get SOCKETS_PART of them, so pages still load when those are used up. */
const CONNECTIONS_MAX = 25_000
/** Number of file descriptors to leave for files, the database, Redis and mail. */
const SPARE_FILES = 256
const CONNECTIONS_MIN = 64
/** Share of all connections that can be WebSockets. */
const SOCKETS_PART = 0.8

/** How many connections a process accepts, and how many of them can be WebSockets. */
export interface ConnectionCapacity {
  readonly connections: number
  readonly sockets: number
}

/** Returns the capacity for a limit of open files. Beyond that limit, not even the database could be reached. */
export function connectionCapacity(openFiles: number = openFilesMax()): ConnectionCapacity {
  const connections = Math.max(CONNECTIONS_MIN, Math.min(CONNECTIONS_MAX, openFiles - SPARE_FILES))
  return { connections, sockets: Math.floor(connections * SOCKETS_PART) }
}

let softLimit: number | undefined

/** Returns this process's soft limit of open files, read once; Infinity if the system has none. */
export function openFilesMax(): number {
  softLimit ??= readSoftLimit()
  return softLimit
}

function readSoftLimit(): number {
  // Exclude the network, because otherwise the report looks up the names of all peers. The types lack this property.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | 'unlimited' } }
  }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY
}
