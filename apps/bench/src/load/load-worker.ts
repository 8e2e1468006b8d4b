import { parentPort } from 'node:worker_threads'
import type { LoadPlan } from './load-plan.ts'
import { runLoad } from './run-load.ts'

parentPort?.on('message', (plan: LoadPlan) => {
  runLoad(plan).then(
    (result) => parentPort?.postMessage({ result }),
    (error: unknown) => parentPort?.postMessage({ error: String(error) }),
  )
})
