import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { LoadPlan, LoadResult, OrderPlan } from './plans.ts'

/** Runs loads in a separate thread. */
export class LoadGenerator {
  readonly #worker = new Worker(new URL('./load-worker.ts', import.meta.url))

  /** Runs one load at a time. Rejects when `runReads` or `runOrders` does. */
  async run(plan: LoadPlan | OrderPlan): Promise<LoadResult> {
    this.#worker.postMessage(plan)
    const [message] = (await once(this.#worker, 'message')) as [{ result: LoadResult } | { error: string }]
    if ('error' in message) throw new Error(message.error)
    return message.result
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
