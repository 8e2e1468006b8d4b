/** WebSockets get SOCKETS_PART of them, so pages still load when those are used up. */
const CONNECTIONS_MAX = 25_000
/** File descriptors left for files, the database, Redis and mail. */
const SPARE_FILES = 256
const CONNECTIONS_MIN = 64
/** The share of all connections that may be WebSockets. */
const SOCKETS_PART = 0.8

/** How many connections a process accepts, and how many of them may be WebSockets. */
export interface ConnectionCapacity {
  readonly connections: number
  readonly sockets: number
}

/** The capacity for a limit of open files: past that limit, even the database could not be reached. */
export function connectionCapacity(openFiles: number = openFilesMax()): ConnectionCapacity {
  const connections = Math.max(CONNECTIONS_MIN, Math.min(CONNECTIONS_MAX, openFiles - SPARE_FILES))
  return { connections, sockets: Math.floor(connections * SOCKETS_PART) }
}

let softLimit: number | undefined

/** The soft limit of open files of this process, read once; Infinity if the system has none. */
export function openFilesMax(): number {
  softLimit ??= readSoftLimit()
  return softLimit
}

function readSoftLimit(): number {
  // Else the report looks up the names of all peers. The types lack the property.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | 'unlimited' } }
  }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY
}
