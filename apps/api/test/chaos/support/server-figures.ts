import { METRICS_TOKEN } from '../../support/server-process.ts'

/** Figures of a server process. */
export interface ServerFigures {
  /** Resident memory in MB. */
  readonly megabytes: number
  /** Open files and connections. */
  readonly descriptors: number
  readonly webSockets: number
}

/** Reads `/metrics`. Throws if a figure is missing. */
export async function readFigures(url: string): Promise<ServerFigures> {
  const text = await readMetrics(url)
  return {
    megabytes: findMetric(text, 'process_resident_memory_bytes') / 1_048_576,
    descriptors: findMetric(text, 'process_open_fds'),
    webSockets: findMetric(text, 'papermoon_sockets'),
  }
}

/** One metric without labels. Throws if it is missing. */
export async function readMetric(url: string, name: string): Promise<number> {
  return findMetric(await readMetrics(url), name)
}

async function readMetrics(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  return await (await fetch(`${url}/metrics`, { headers })).text()
}

function findMetric(text: string, name: string): number {
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
  if (found === undefined) throw new Error(`there is no metric ${name}`)
  return Number(found)
}
