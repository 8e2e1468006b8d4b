import { get } from './rest-player.ts'

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
  const text = String((await get(`${url}/metrics`)).body)
  const figure = (name: string) => {
    const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
    if (found === undefined) throw new Error(`the server does not tell its ${name}`)
    return Number(found)
  }
  return {
    megabytes: figure('process_resident_memory_bytes') / 1_048_576,
    descriptors: figure('process_open_fds'),
    webSockets: figure('papermoon_sockets'),
  }
}
