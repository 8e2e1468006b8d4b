import { METRICS_TOKEN } from '../../support/server-process.ts'

/** Reads how much memory a server process uses, in MB. */
export async function readMegabytes(url: string): Promise<number> {
  return (await readMetric(url, 'process_resident_memory_bytes')) / 1_048_576
}

/** Reads one metric without labels from `/metrics`. Throws if it is missing. */
export async function readMetric(url: string, name: string): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
  if (found === undefined) throw new Error(`there is no metric ${name}`)
  return Number(found)
}
