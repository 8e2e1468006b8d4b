import cluster from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'

/** Metrics of all workers come within this time, or each answers with its own. */
const ANSWER_MAX_MS = 6_000

interface Question {
  readonly type: 'papermoon:metrics'
  readonly id: number
}
interface Answer extends Question {
  /** Null: some worker did not answer. */
  readonly text: string | null
}

/** In the process that starts workers: answers each of them with the metrics of all. */
export function answerMetrics(): void {
  const gatherer = new AggregatorRegistry()
  cluster.on('message', (worker, message: unknown) => {
    if (!isOurs(message)) return
    const { type, id } = message
    const answer = (text: string | null) => {
      if (worker.isConnected()) worker.send({ type, id, text } satisfies Answer)
    }
    gatherer.clusterMetrics().then(answer, () => answer(null))
  })
}

/** In a worker: labels its metrics with its place, and returns how to gather those of all workers as text. */
export function shareMetrics(metrics: Registry, place: number): () => Promise<string> {
  metrics.setDefaultLabels({ process: String(place) })
  AggregatorRegistry.setRegistries([metrics])
  // It answers the gatherer.
  new AggregatorRegistry()
  const waiting = new Map<number, (text: string | null) => void>()
  let last = 0
  process.on('message', (message: unknown) => {
    if (isOurs(message)) waiting.get(message.id)?.((message as Answer).text)
  })
  return async () => {
    const id = ++last
    const text = await new Promise<string | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), ANSWER_MAX_MS)
      waiting.set(id, (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
      process.send?.({ type: 'papermoon:metrics', id } satisfies Question)
    })
    waiting.delete(id)
    return text ?? (await metrics.metrics())
  }
}

function isOurs(message: unknown): message is Question {
  return Object(message).type === 'papermoon:metrics'
}
