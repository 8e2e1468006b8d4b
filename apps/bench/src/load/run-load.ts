import { Worker } from 'node:worker_threads'
import { askWorker } from './ask-worker.ts'
import type { LoadPlan, LoadResult } from './plans.ts'

/** Threads that are idle. */
const idle: Worker[] = []

/** Runs a load in its own thread. The promise rejects if the server rejects a request. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const worker = idle.pop() ?? new Worker(new URL('./load-worker.ts', import.meta.url))
  worker.ref()
  try {
    return await askWorker<LoadResult>(worker, plan)
  } finally {
    // Idle threads do not keep the bench running.
    worker.unref()
    idle.push(worker)
  }
}
